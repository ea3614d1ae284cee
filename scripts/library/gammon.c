/* The C interface: engines, searchers, and the calls of kernels that answer questions.

   An engine's file holds constant arrays, and for each depth the plan of a searcher: the size of
   its memory, and the words of the record that the kernels take as their argument. A word is a number,
   a place among the constant arrays or in the searcher's memory, or a kernel. A light file leaves
   out the bearoff tables, which are made when it is read. The header is written by
   gammon_adapters/embed/header.py, the file by packed_engine.py beside it, and table.h by
   build_library.py. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gammon.h"
#include "table.h"

enum { NUMBER, CONSTANT, SCRATCH, KERNEL };

/* The largest numbers that a file may have: bytes of a searcher's memory, which has 1 GB to depth
   7; searchers; words of a searcher. */
enum { MOST_SCRATCH = INT32_MAX, MOST_SEARCHERS = 64, MOST_WORDS = 1 << 20 };
enum { KERNELS = sizeof CODES[0] / sizeof CODES[0][0] };

typedef struct {
    char magic[8];
    uint64_t checksum; /* of all that follows */
    char build[32];
    int64_t size, searchers, constants;
    int64_t gap_at, gap; /* the place in the file where bytes are left out, and their number */
} Head;

typedef struct {
    int64_t depth, scratch, words, words_at;
    int64_t question, whole, whole_width, real, real_width, stop, progress;
} Plan;

typedef struct {
    int64_t kind, value;
} Word;

struct gammon_engine {
    void *memory;
    char *bytes; /* the file, aligned to 64 bytes */
    int variant;
};

struct gammon_searcher {
    const Plan *plan;
    void *memory;
    char *scratch;
    int64_t *words;
    int variant;
};

/* Kernels allocate memory with this function: a size has 64 bits on every system. */
void *gammon_take(int64_t size) { return malloc((size_t)size); }

static char *line_of(void *memory) { return (char *)(((uintptr_t)memory + 63) & ~(uintptr_t)63); }

static uint64_t checksum(uint64_t sum, const char *bytes, int64_t size) {
    uint64_t word;
    for (int64_t at = 0; at + 8 <= size; at += 8) {
        memcpy(&word, bytes + at, 8);
        sum = (sum ^ word) * 0x100000001B3u;
        sum ^= sum >> 29;
    }
    return sum;
}

static int best_variant(void) {
    int level = gammon_level(), best = -1;
    for (int variant = 0; variant < VARIANTS; variant++)
        if (LEVELS[variant] <= level) best = variant;
    return best;
}

const char *gammon_version(void) { return GAMMON_VERSION; }

const char *gammon_variant(void) {
    int variant = best_variant();
    return variant < 0 ? "none" : NAMES[variant];
}

static const char *fault_of(const Head *head) {
    if (best_variant() < 0) return "the library needs a newer processor";
    if (memcmp(head->magic, "gammon\r\n", 8)) return "it is no engine of gammon";
    if (memcmp(head->build, BUILD, sizeof head->build)) return "it was made for another library";
    int64_t most = INT32_MAX / 2;
    if (head->size < (int64_t)sizeof *head || head->size > most) return "it is damaged";
    if (head->gap_at < (int64_t)sizeof *head || head->gap_at > head->size) return "it is damaged";
    if (head->gap < 0 || head->gap > most) return "it is damaged";
    return NULL;
}

/* Whether `size` bytes from a place on lie within `most` bytes. */
static int within(int64_t at, int64_t size, int64_t most) {
    return at >= 0 && at % 8 == 0 && size >= 0 && size <= most && at <= most - size;
}

/* Whether the rows of an answer, of `width` numbers each, lie in the memory of a searcher. */
static int are_rows(const Plan *plan, int64_t at, int64_t width, size_t least) {
    return width >= (int64_t)least / 8 && width <= 1024 &&
           within(at, 8 * width * GAMMON_MOST_PLAYS, plan->scratch);
}

static int is_sound_plan(const Plan *plan) {
    size_t whole = offsetof(gammon_play, equity);
    return within(0, plan->scratch, MOST_SCRATCH) && plan->words <= MOST_WORDS &&
           within(plan->question, sizeof(gammon_question), plan->scratch) &&
           are_rows(plan, plan->whole, plan->whole_width, whole) &&
           are_rows(plan, plan->real, plan->real_width, sizeof(gammon_position)) &&
           are_rows(plan, plan->real, plan->real_width, sizeof(gammon_play) - whole) &&
           within(plan->stop, 8, plan->scratch) && within(plan->progress, 16, plan->scratch);
}

/* Whether the words of a searcher refer to existing places and kernels. The two words before the
   place of an array are the number and the size of its items. */
static int are_sound_words(const Word *words, const Plan *plan, int64_t constants) {
    for (int64_t k = 0; k < plan->words; k++) {
        int64_t kind = words[k].kind, value = words[k].value;
        if (kind < NUMBER || kind > KERNEL) return 0;
        if (kind == KERNEL && (value < 0 || value >= KERNELS)) return 0;
        if (kind != CONSTANT && kind != SCRATCH) continue;
        if (k < 2 || words[k - 2].kind || words[k - 1].kind) return 0;
        int64_t items = words[k - 2].value, size = words[k - 1].value;
        if (items < 0 || items > INT32_MAX || size < 0 || size > 64) return 0;
        if (!within(value, items * size, kind == SCRATCH ? plan->scratch : constants)) return 0;
    }
    return 1;
}

/* Whether the places in a file's words are in the file or in the memory of its searchers. */
static int is_sound(const Head *head) {
    int64_t size = head->size + head->gap, begin = head->constants;
    int64_t plans = (int64_t)sizeof *head + head->searchers * (int64_t)sizeof(Plan);
    if (head->searchers < 0 || head->searchers > MOST_SEARCHERS) return 0;
    if (!within(begin, 0, size)) return 0;
    if (plans > begin || head->gap_at < begin) return 0;
    if (head->gap && (head->gap != 4 * (int64_t)TABLES || head->gap_at % 4)) return 0;
    const Plan *plan = (const Plan *)(head + 1);
    for (const Plan *end = plan + head->searchers; plan < end; plan++) {
        if (!is_sound_plan(plan)) return 0;
        if (!within(plan->words_at, plan->words * (int64_t)sizeof(Word), begin)) return 0;
        const Word *words = (const Word *)((const char *)head + plan->words_at);
        if (!are_sound_words(words, plan, size - begin)) return 0;
    }
    return 1;
}

/* Make the bearoff tables, which a light file leaves out. Return 0 unless memory ran out. */
static int fill(const gammon_engine *engine) {
    const Head *head = (const Head *)engine->bytes;
    int64_t count = head->gap / 4, result;
    int64_t place = (int64_t)(intptr_t)(engine->bytes + head->gap_at);
    int64_t words[] = {0, 0, count, 4, place, count, 4};
    return count ? CALLS[engine->variant][FILL_TABLES](words, &result) : 0;
}

/* Takes ownership of the memory, which has an aligned file with free space in the gap. */
static gammon_engine *engine_of(void *memory, int whole, const char **fault) {
    char *bytes = line_of(memory);
    const Head *head = (const Head *)bytes;
    int64_t behind = head->gap_at + head->gap;
    uint64_t sum = checksum(0x9E3779B97F4A7C15u, bytes + 16, head->gap_at - 16);
    sum = checksum(sum, bytes + behind, head->size - head->gap_at);
    gammon_engine *engine = malloc(sizeof *engine);
    const char *message = NULL;
    if (engine) *engine = (gammon_engine){memory, bytes, best_variant()};
    if (sum != head->checksum || !is_sound(head)) message = "it is damaged";
    else if (!engine || (whole && fill(engine))) message = "no memory is left";
    if (message) {
        free(engine);
        free(memory);
        if (fault) *fault = message;
        return NULL;
    }
    return engine;
}

static gammon_engine *failed(const char **fault, const char *message) {
    if (fault) *fault = message;
    return NULL;
}

/* Memory for the bytes of a file, and for the bytes that it leaves out. */
static void *memory_for(const Head *head) { return malloc((size_t)(head->size + head->gap) + 64); }

static gammon_engine *read_bytes(const void *bytes, size_t size, int whole,
                                 const char **fault) {
    Head head;
    if (size < sizeof head) return failed(fault, "it is no engine of gammon");
    memcpy(&head, bytes, sizeof head);
    const char *message = fault_of(&head);
    if (!message && (uint64_t)head.size != size) message = "it is damaged";
    void *memory = message ? NULL : memory_for(&head);
    if (!memory) return failed(fault, message ? message : "no memory is left");
    char *to = line_of(memory);
    memcpy(to, bytes, (size_t)head.gap_at);
    memcpy(to + head.gap_at + head.gap, (const char *)bytes + head.gap_at,
           size - (size_t)head.gap_at);
    return engine_of(memory, whole, fault);
}

gammon_engine *gammon_read(const void *bytes, size_t size, const char **fault) {
    return read_bytes(bytes, size, 1, fault);
}

#ifdef __wasm__ /* in a browser, where a person waits, and there are no files */
gammon_engine *gammon_read_light(const void *bytes, size_t size, const char **fault);
int gammon_fill(gammon_engine *engine);

/* Without the bearoff tables: until gammon_fill makes them, no question may need them. */
gammon_engine *gammon_read_light(const void *bytes, size_t size, const char **fault) {
    return read_bytes(bytes, size, 0, fault);
}

int gammon_fill(gammon_engine *engine) { return fill(engine); }
#else
gammon_engine *gammon_open(const char *path, const char **fault) {
    FILE *file = fopen(path, "rb");
    if (!file) return failed(fault, "it cannot be opened");
    Head head;
    const char *message = "it is no engine of gammon";
    if (fread(&head, 1, sizeof head, file) == sizeof head) message = fault_of(&head);
    void *memory = message ? NULL : memory_for(&head);
    if (!memory) {
        fclose(file);
        return failed(fault, message ? message : "no memory is left");
    }
    char *to = line_of(memory);
    size_t first = (size_t)head.gap_at, rest = (size_t)(head.size - head.gap_at);
    rewind(file);
    int whole = fread(to, 1, first, file) == first;
    whole = whole && fread(to + first + head.gap, 1, rest, file) == rest && fgetc(file) == EOF;
    fclose(file);
    if (whole) return engine_of(memory, 1, fault);
    free(memory);
    return failed(fault, "it is damaged");
}
#endif

void gammon_close(gammon_engine *engine) {
    if (!engine) return;
    free(engine->memory);
    free(engine);
}

static int64_t value_of(const Word *word, const gammon_engine *engine, const char *scratch) {
    const Head *head = (const Head *)engine->bytes;
    switch (word->kind) {
    case CONSTANT:
        return (int64_t)(intptr_t)(engine->bytes + head->constants + word->value);
    case SCRATCH:
        return (int64_t)(intptr_t)(scratch + word->value);
    case KERNEL:
        return (int64_t)(intptr_t)CODES[engine->variant][word->value]();
    default:
        return word->value;
    }
}

gammon_searcher *gammon_open_searcher(gammon_engine *engine, int depth) {
    const Head *head = (const Head *)engine->bytes;
    const Plan *plan = (const Plan *)(head + 1), *end = plan + head->searchers;
    while (plan < end && plan->depth != depth) plan++;
    if (plan == end) return NULL;
    gammon_searcher *searcher = calloc(1, sizeof *searcher);
    void *memory = calloc(1, (size_t)plan->scratch + 64);
    int64_t *words = malloc((size_t)plan->words * sizeof *words);
    if (!searcher || !memory || !words) {
        free(words);
        free(memory);
        free(searcher);
        return NULL;
    }
    searcher->plan = plan;
    searcher->memory = memory;
    searcher->scratch = line_of(memory);
    searcher->words = words;
    searcher->variant = engine->variant;
    const Word *word = (const Word *)(engine->bytes + plan->words_at);
    for (int64_t k = 0; k < plan->words; k++)
        words[k] = value_of(word + k, engine, searcher->scratch);
    return searcher;
}

void gammon_close_searcher(gammon_searcher *searcher) {
    if (!searcher) return;
    free(searcher->words);
    free(searcher->memory);
    free(searcher);
}

static int ask(gammon_searcher *searcher, int kernel, const gammon_question *question) {
    int64_t result = 0;
    memcpy(searcher->scratch + searcher->plan->question, question, sizeof *question);
    if (CALLS[searcher->variant][kernel](searcher->words, &result)) return GAMMON_MEMORY;
    return (int)result;
}

/* Copy a row of the answer: whole numbers, then real numbers. */
static void copy(const gammon_searcher *searcher, int row, void *to, size_t whole, size_t real) {
    const Plan *plan = searcher->plan;
    memcpy(to, searcher->scratch + plan->whole + 8 * row * plan->whole_width, whole);
    memcpy((char *)to + whole, searcher->scratch + plan->real + 8 * row * plan->real_width, real);
}

static int plays_of(gammon_searcher *searcher, int kernel, const gammon_question *question,
                    gammon_play *plays, int capacity) {
    int count = ask(searcher, kernel, question);
    size_t whole = offsetof(gammon_play, equity);
    for (int row = 0; row < count && row < capacity; row++)
        copy(searcher, row, plays + row, whole, sizeof *plays - whole);
    return count;
}

int gammon_plays(gammon_searcher *searcher, const gammon_question *question, gammon_play *plays,
                 int capacity) {
    return plays_of(searcher, LIST_PLAYS, question, plays, capacity);
}

int gammon_analyze(gammon_searcher *searcher, const gammon_question *question, gammon_play *plays,
                   int capacity) {
    return plays_of(searcher, ANALYZE, question, plays, capacity);
}

int gammon_decide(gammon_searcher *searcher, const gammon_question *question,
                  gammon_cube *decision) {
    int count = ask(searcher, DECIDE_CUBE, question);
    size_t whole = offsetof(gammon_cube, equity);
    if (count > 0) copy(searcher, 0, decision, whole, sizeof *decision - whole);
    return count;
}

int gammon_evaluate(gammon_searcher *searcher, const gammon_question *question,
                    gammon_position *value) {
    int count = ask(searcher, EVALUATE, question);
    if (count > 0) copy(searcher, 0, value, 0, sizeof *value);
    return count;
}

int gammon_luck(gammon_searcher *searcher, const gammon_question *question, gammon_roll *roll) {
    int count = ask(searcher, WEIGH_ROLL, question);
    if (count > 0) copy(searcher, 0, roll, 0, sizeof *roll);
    return count;
}

int gammon_games(gammon_searcher *searcher, const gammon_question *question, gammon_game *games,
                 int capacity) {
    int count = ask(searcher, PLAY_GAMES, question);
    size_t whole = offsetof(gammon_game, equity);
    for (int row = 0; row < count && row < capacity; row++)
        copy(searcher, row, games + row, whole, sizeof *games - whole);
    return count;
}

/* Write a row of the answer before the call, as input of the kernel. */
static void put(const gammon_searcher *searcher, int row, const void *from, size_t whole,
                size_t real) {
    const Plan *plan = searcher->plan;
    memcpy(searcher->scratch + plan->whole + 8 * row * plan->whole_width, from, whole);
    memcpy(searcher->scratch + plan->real + 8 * row * plan->real_width,
           (const char *)from + whole, real);
}

static int reasons_of(gammon_searcher *searcher, int kernel, const gammon_question *question,
                      gammon_reasons *reasons) {
    int count = ask(searcher, kernel, question);
    size_t whole = offsetof(gammon_reasons, more);
    if (count > 0) copy(searcher, 0, reasons, whole, sizeof *reasons - whole);
    return count;
}

int gammon_explain_play(gammon_searcher *searcher, const gammon_question *question,
                        const gammon_play *plays, int count, gammon_reasons *reasons) {
    gammon_question asked = *question;
    size_t whole = offsetof(gammon_play, equity);
    asked.compared = count;
    for (int row = 0; row < count && row < GAMMON_MOST_PLAYS; row++)
        put(searcher, row, plays + row, whole, sizeof *plays - whole);
    return reasons_of(searcher, EXPLAIN_PLAY, &asked, reasons);
}

int gammon_explain_cube(gammon_searcher *searcher, const gammon_question *question,
                        const gammon_cube *decision, gammon_reasons *reasons) {
    size_t whole = offsetof(gammon_cube, equity);
    put(searcher, 0, decision, whole, sizeof *decision - whole);
    return reasons_of(searcher, EXPLAIN_CUBE, question, reasons);
}

double gammon_judge(int count, int64_t most, double *values, const int64_t *trials,
                    const int64_t *playing, double unit, double cash, int beavers,
                    gammon_judged *judged) {
    int64_t rows = count + GAMMON_WORK, width = sizeof *judged / 8;
    double clear = 0;
    union {
        double real;
        int64_t word;
    } in[] = {{unit}, {cash}};
    int64_t words[] = {
        0, 0, rows * most, 8, (int64_t)(intptr_t)values, rows, most, 8 * most, 8,
        0, 0, count, 8, (int64_t)(intptr_t)trials, count, 8,
        0, 0, count, 8, (int64_t)(intptr_t)playing, count, 8,
        in[0].word, in[1].word, beavers != 0,
        0, 0, count * width, 8, (int64_t)(intptr_t)judged, count, width, 8 * width, 8,
    };
    CALLS[best_variant()][JUDGE](words, &clear);
    return clear;
}

void gammon_misjudge(int count, const int8_t *boards, const double *chances, double strength,
                     uint64_t seed, double *errors) {
    int8_t work[26];
    int64_t result, side = sizeof work;
    union {
        double real;
        int64_t word;
    } in = {strength};
    int64_t words[] = {
        0, 0, count * side, 1, (int64_t)(intptr_t)boards, count, side, side, 1,
        0, 0, 5, 8, (int64_t)(intptr_t)chances, 5, 8,
        in.word, (int64_t)seed,
        0, 0, side, 1, (int64_t)(intptr_t)work, 1, side, side, 1,
        0, 0, count, 8, (int64_t)(intptr_t)errors, count, 8,
    };
    CALLS[best_variant()][MISJUDGE](words, &result);
}

void gammon_stop(gammon_searcher *searcher) {
    __atomic_store_n((int64_t *)(searcher->scratch + searcher->plan->stop), 1, __ATOMIC_RELAXED);
}

void gammon_progress(const gammon_searcher *searcher, int64_t *done, int64_t *all) {
    const int64_t *progress = (const int64_t *)(searcher->scratch + searcher->plan->progress);
    *done = __atomic_load_n(progress, __ATOMIC_RELAXED);
    *all = __atomic_load_n(progress + 1, __ATOMIC_RELAXED);
}

const char *gammon_fault_text(int fault) {
    if (fault >= 0) return "no fault";
    return fault >= -FAULTS ? WORDS[-fault - 1] : "no such fault";
}
