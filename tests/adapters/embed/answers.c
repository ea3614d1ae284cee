/* Answer questions from standard input, one a line, with all digits: `answers ENGINE`.

   A line has the depth, the kind of question, and the numbers of `gammon_question`. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gammon.h"

static void show(const char *name, const double *numbers, int count) {
    printf(" %s", name);
    for (int k = 0; k < count; k++) printf(" %a", numbers[k]);
}

static void show_plays(const gammon_play *plays, int found, int worth) {
    for (int row = 0; row < found; row++) {
        const gammon_play *play = plays + row;
        printf("points");
        for (int k = 0; k < 26; k++) printf(" %d", (int)play->points[k]);
        printf(" moves");
        for (int k = 0; k < 4 && play->moves[k][0]; k++)
            printf(" %d/%d%s", (int)play->moves[k][0], (int)play->moves[k][1],
                   play->moves[k][2] ? "*" : "");
        if (worth) {
            printf(" kind %d depth %d", (int)play->kind, (int)play->depth);
            show("equity", &play->equity, 1);
            show("mwc", &play->mwc, 1);
            show("cubeless", &play->cubeless, 1);
            show("bound", &play->bound, 1);
            show("chances", play->chances, 5);
        }
        printf("\n");
    }
}

static int show_reasons(const gammon_reasons *reasons, int found) {
    const int64_t *numbers = (const int64_t *)reasons;
    if (found < 0) return found;
    for (const int64_t *end = (const int64_t *)&reasons->more; numbers < end; numbers++)
        printf("%d ", (int)*numbers);
    show("more", reasons->more, 3);
    show("without", &reasons->without, 1);
    show("loss", &reasons->loss, 1);
    printf("\n");
    return found;
}

/* Why the worst play was wrong; or with an action, that. */
static int explain(gammon_searcher *searcher, const gammon_question *question) {
    static gammon_play plays[GAMMON_MOST_PLAYS];
    gammon_reasons reasons = {0};
    if (question->action) {
        gammon_cube cube;
        gammon_decide(searcher, question, &cube);
        return show_reasons(&reasons, gammon_explain_cube(searcher, question, &cube, &reasons));
    }
    int found = gammon_analyze(searcher, question, plays, GAMMON_MOST_PLAYS);
    gammon_play compared[] = {plays[found - 1], plays[0]};
    return show_reasons(&reasons, gammon_explain_play(searcher, question, compared, 2, &reasons));
}

/* Judge the games of no double and of double and take. */
static int judge(gammon_searcher *searcher, const gammon_question *question) {
    double values[2 + GAMMON_WORK][36];
    int64_t trials[] = {36, 36}, playing[] = {1, 1};
    gammon_judged judged[2];
    gammon_game games[36];
    gammon_question asked = *question;
    for (asked.doubled = 0; asked.doubled < 2; asked.doubled++) {
        int found = gammon_games(searcher, &asked, games, 36);
        if (found < 0) return found;
        for (int k = 0; k < 36; k++) values[asked.doubled][k] = games[k].equity;
    }
    double clear = gammon_judge(2, 36, values[0], trials, playing, 1.0, 1.0, 0, judged);
    show("clear", &clear, 1);
    show("judged", (const double *)judged, 2 * sizeof judged[0] / 8);
    printf("\n");
    return 1;
}

static int answer(gammon_searcher *searcher, int kind, const gammon_question *question) {
    static gammon_play plays[GAMMON_MOST_PLAYS];
    if (kind < 2) {
        int found = kind ? gammon_analyze(searcher, question, plays, GAMMON_MOST_PLAYS)
                         : gammon_plays(searcher, question, plays, GAMMON_MOST_PLAYS);
        show_plays(plays, found, kind);
        return found;
    }
    if (kind == 2) {
        gammon_cube cube;
        int found = gammon_decide(searcher, question, &cube);
        if (found > 0) {
            printf("may_double %d", (int)cube.may_double);
            show("equity", cube.equity, 3);
            show("mwc", cube.mwc, 3);
            show("chances", cube.chances, 5);
            printf("\n");
        }
        return found;
    }
    if (kind == 5) {
        gammon_game games[36];
        int found = gammon_games(searcher, question, games, 36);
        for (int row = 0; row < found; row++) {
            printf("turns %d", (int)games[row].turns);
            show("equity", &games[row].equity, 1);
            show("unadjusted", &games[row].unadjusted, 1);
            show("mwc", &games[row].mwc, 1);
            printf("\n");
        }
        return found;
    }
    if (kind == 6) return explain(searcher, question);
    if (kind == 7) return judge(searcher, question);
    if (kind == 4) gammon_stop(searcher);
    gammon_position worth;
    int found = gammon_evaluate(searcher, question, &worth);
    if (found > 0) {
        printf("worth");
        show("equity", &worth.equity, 1);
        show("mwc", &worth.mwc, 1);
        show("chances", worth.chances, 5);
        printf("\n");
    }
    return found;
}

int main(int argc, char **argv) {
    const char *fault = NULL;
    gammon_engine *engine = gammon_open(argv[argc - 1], &fault);
    if (!engine) {
        printf("fault: %s\n", fault);
        return 1;
    }
    gammon_searcher *searchers[8] = {0};
    gammon_question question;
    int depth, kind;
    while (scanf("%d %d", &depth, &kind) == 2) {
        int64_t *numbers = (int64_t *)&question;
        for (size_t k = 0; k < sizeof question / 8; k++) {
            long long number;
            if (scanf("%lld", &number) != 1) return 2;
            numbers[k] = number;
        }
        if (!searchers[depth]) searchers[depth] = gammon_open_searcher(engine, depth);
        int found = answer(searchers[depth], kind, &question);
        int64_t done, all;
        gammon_progress(searchers[depth], &done, &all);
        printf("= %d, %s\n", found, gammon_fault_text(found));
    }
    for (int k = 0; k < 8; k++) gammon_close_searcher(searchers[k]);
    gammon_close_searcher(NULL);
    gammon_close(engine);
    return 0;
}
