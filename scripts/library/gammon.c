/* The C interface: engines, desks, and the calls of kernels that answer questions.

   An engine's file holds arrays that stay as they are, and for each depth a desk: how much memory
   it takes, and the words of the record that kernels take for their argument. A word is a
   number, or a place among those arrays or in that memory, or a kernel. The header is written by
   gammon/core/header.py, the file by gammon/core/image.py, and table.h by build_library.py. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gammon.h"
#include "table.h"

enum { NUMBER, CONSTANT, ROOM, KERNEL };

typedef struct {
    char magic[8];
    uint64_t checksum; /* of all that follows */
    char build[32];
    int64_t size, desks, constants, constants_size;
} Head;

typedef struct {
    int64_t depth, room, words, words_at;
    int64_t question, whole, whole_width, real, real_width, stop, progress;
} Plan;

typedef struct {
    int64_t kind, value;
} Word;

struct gammon_engine {
    void *memory;
    char *bytes; /* the file, at a whole line of 64 bytes */
    int variant;
};

struct gammon_desk {
    const Plan *plan;
    void *memory;
    char *room;
    int64_t *words;
    int variant;
};

static char *line_of(void *memory) { return (char *)(((uintptr_t)memory + 63) & ~(uintptr_t)63); }

static uint64_t checksum(const char *bytes, size_t size) {
    uint64_t sum = 0x9E3779B97F4A7C15u, word;
    for (size_t at = 0; at + 8 <= size; at += 8) {
        memcpy(&word, bytes + at, 8);
        sum = (sum ^ word) * 0x100000001B3u;
        sum ^= sum >> 29;
    }
    return sum;
}

static int best_variant(void) {
    int level = gammon_level();
    return level < VARIANTS ? level : VARIANTS - 1;
}

const char *gammon_variant(void) {
    int variant = best_variant();
    return variant < 0 ? "none" : NAMES[variant];
}

static const char *fault_of(const char *bytes, size_t size) {
    Head head;
    if (best_variant() < 0) return "the library needs a newer processor";
    if (size < sizeof head) return "it is no engine of gammon";
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.magic, "gammon\r\n", 8)) return "it is no engine of gammon";
    if (memcmp(head.build, BUILD, sizeof head.build)) return "it was made for another library";
    if ((uint64_t)head.size != size || head.checksum != checksum(bytes + 16, size - 16))
        return "it is damaged";
    return NULL;
}

/* Takes the memory: at its first whole line are the bytes. */
static gammon_engine *engine_of(void *memory, size_t size, const char **fault) {
    const char *said = fault_of(line_of(memory), size);
    gammon_engine *engine = said ? NULL : malloc(sizeof *engine);
    if (!engine) {
        free(memory);
        if (fault) *fault = said ? said : "no memory is left";
        return NULL;
    }
    engine->memory = memory;
    engine->bytes = line_of(memory);
    engine->variant = best_variant();
    return engine;
}

static gammon_engine *failed(const char **fault, const char *said) {
    if (fault) *fault = said;
    return NULL;
}

gammon_engine *gammon_read(const void *bytes, size_t size, const char **fault) {
    void *memory = malloc(size + 64);
    if (!memory) return failed(fault, "no memory is left");
    memcpy(line_of(memory), bytes, size);
    return engine_of(memory, size, fault);
}

gammon_engine *gammon_open(const char *path, const char **fault) {
    FILE *file = fopen(path, "rb");
    if (!file) return failed(fault, "it cannot be opened");
    Head head;
    if (fread(&head, 1, sizeof head, file) != sizeof head || memcmp(head.magic, "gammon\r\n", 8)) {
        fclose(file);
        return failed(fault, "it is no engine of gammon");
    }
    if (head.size < (int64_t)sizeof head || head.size > INT32_MAX) {
        fclose(file);
        return failed(fault, "it is damaged");
    }
    size_t size = (size_t)head.size;
    void *memory = malloc(size + 64);
    if (!memory) {
        fclose(file);
        return failed(fault, "no memory is left");
    }
    rewind(file);
    size_t read = fread(line_of(memory), 1, size, file);
    int more = fgetc(file) != EOF;
    fclose(file);
    if (more) read = sizeof head; /* which is not what the header says */
    return engine_of(memory, read, fault);
}

void gammon_close(gammon_engine *engine) {
    if (!engine) return;
    free(engine->memory);
    free(engine);
}

static int64_t value_of(const Word *word, const gammon_engine *engine, const char *room) {
    const Head *head = (const Head *)engine->bytes;
    switch (word->kind) {
    case CONSTANT:
        return (int64_t)(intptr_t)(engine->bytes + head->constants + word->value);
    case ROOM:
        return (int64_t)(intptr_t)(room + word->value);
    case KERNEL:
        return (int64_t)(intptr_t)CODES[engine->variant][word->value]();
    default:
        return word->value;
    }
}

gammon_desk *gammon_sit(gammon_engine *engine, int depth) {
    const Head *head = (const Head *)engine->bytes;
    const Plan *plan = (const Plan *)(head + 1), *end = plan + head->desks;
    while (plan < end && plan->depth != depth) plan++;
    if (plan == end) return NULL;
    gammon_desk *desk = calloc(1, sizeof *desk);
    void *memory = calloc(1, (size_t)plan->room + 64);
    int64_t *words = malloc((size_t)plan->words * sizeof *words);
    if (!desk || !memory || !words) {
        free(words);
        free(memory);
        free(desk);
        return NULL;
    }
    desk->plan = plan;
    desk->memory = memory;
    desk->room = line_of(memory);
    desk->words = words;
    desk->variant = engine->variant;
    const Word *word = (const Word *)(engine->bytes + plan->words_at);
    for (int64_t k = 0; k < plan->words; k++) words[k] = value_of(word + k, engine, desk->room);
    return desk;
}

void gammon_leave(gammon_desk *desk) {
    if (!desk) return;
    free(desk->words);
    free(desk->memory);
    free(desk);
}

static int ask(gammon_desk *desk, int kernel, const gammon_question *question) {
    int64_t found = 0;
    memcpy(desk->room + desk->plan->question, question, sizeof *question);
    if (CALLS[desk->variant][kernel](desk->words, &found)) return GAMMON_MEMORY;
    return (int)found;
}

/* Copy a row of the answer: whole numbers, and real ones behind them. */
static void copy(const gammon_desk *desk, int row, void *to, size_t whole, size_t real) {
    const Plan *plan = desk->plan;
    memcpy(to, desk->room + plan->whole + 8 * row * plan->whole_width, whole);
    memcpy((char *)to + whole, desk->room + plan->real + 8 * row * plan->real_width, real);
}

static int plays_of(gammon_desk *desk, int kernel, const gammon_question *question,
                    gammon_play *plays, int room) {
    int found = ask(desk, kernel, question);
    size_t whole = offsetof(gammon_play, equity);
    for (int row = 0; row < found && row < room; row++)
        copy(desk, row, plays + row, whole, sizeof *plays - whole);
    return found;
}

int gammon_plays(gammon_desk *desk, const gammon_question *question, gammon_play *plays,
                 int room) {
    return plays_of(desk, LIST_PLAYS, question, plays, room);
}

int gammon_analyze(gammon_desk *desk, const gammon_question *question, gammon_play *plays,
                   int room) {
    return plays_of(desk, ANALYZE, question, plays, room);
}

int gammon_decide(gammon_desk *desk, const gammon_question *question, gammon_cube *decision) {
    int found = ask(desk, DECIDE_CUBE, question);
    size_t whole = offsetof(gammon_cube, equity);
    if (found > 0) copy(desk, 0, decision, whole, sizeof *decision - whole);
    return found;
}

int gammon_evaluate(gammon_desk *desk, const gammon_question *question, gammon_position *worth) {
    int found = ask(desk, EVALUATE, question);
    if (found > 0) copy(desk, 0, worth, 0, sizeof *worth);
    return found;
}

void gammon_stop(gammon_desk *desk) {
    __atomic_store_n((int64_t *)(desk->room + desk->plan->stop), 1, __ATOMIC_RELAXED);
}

void gammon_progress(const gammon_desk *desk, int64_t *done, int64_t *all) {
    const int64_t *progress = (const int64_t *)(desk->room + desk->plan->progress);
    *done = __atomic_load_n(progress, __ATOMIC_RELAXED);
    *all = __atomic_load_n(progress + 1, __ATOMIC_RELAXED);
}

const char *gammon_words(int fault) {
    if (fault >= 0) return "no fault";
    return fault >= -FAULTS ? WORDS[-fault - 1] : "no such fault";
}
