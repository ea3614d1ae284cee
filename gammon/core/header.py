"""`gammon.h`: the C interface, written from the one list of the numbers that it has."""

import textwrap
from collections.abc import Iterator

from gammon.core.desk import MOST_PLAYS
from gammon.core.layout import ANSWERS, FAULTS, QUESTION, Field, Struct

__all__ = ["header"]

_WIDTH = 92
_HEAD = """\
/* gammon: backgammon, searched full width with *-minimax, from C.

   An engine has the networks, the bearoff tables and the match equity table; nobody writes
   into it, and any number of threads may use one. A desk is the memory of one thread, for
   searches of one depth. A question about a position is answered at a desk; the answers are
   those of gammon in Python, to the last bit.

   All numbers are seen from the player on roll. docs/c.md has an example. */

#ifndef GAMMON_H
#define GAMMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gammon_engine gammon_engine;
typedef struct gammon_desk gammon_desk;

/* The most plays of a roll for which a desk has room. */
#define GAMMON_MOST_PLAYS MOST
"""
_TAIL = """\
/* Read an engine from its file, gammon.engine, or from memory, of which it makes a copy. Where
   that is damaged, or was made for another version of the library, the result is NULL, and
   `fault`, unless that is NULL, is in words what is wrong. It is as safe as a program: take it
   from where you take the library. */
gammon_engine *gammon_open(const char *path, const char **fault);
gammon_engine *gammon_read(const void *bytes, size_t size, const char **fault);
/* Free an engine, after its desks. NULL is allowed, as in `gammon_leave`. */
void gammon_close(gammon_engine *engine);
/* The instructions that it uses, such as "x86-64-v3". */
const char *gammon_variant(void);

/* Make a desk for searches to `depth`: 1, 3, 5 or 7, which others call 0-, 1-, 2- and 3-ply.
   NULL: the engine has no such depth, or there is no memory. */
gammon_desk *gammon_sit(gammon_engine *engine, int depth);
void gammon_leave(gammon_desk *desk);

/* Each of these returns how many answers there are, or a fault below 0. No more than `room`
   are written. */

/* The legal plays of a roll, in no order of worth; only `points` and `moves` are filled. */
int gammon_plays(gammon_desk *desk, const gammon_question *question, gammon_play *plays,
                 int room);
/* The plays of a roll with their worth, best first: the first `top` are exact. */
int gammon_analyze(gammon_desk *desk, const gammon_question *question, gammon_play *plays,
                   int room);
/* The decision about the cube, before the roll. The opponent passes where a take is worth more
   to the player on roll, and beavers, where that is allowed, if it is worth less than 0. */
int gammon_decide(gammon_desk *desk, const gammon_question *question, gammon_cube *decision);
/* The worth of a position before the roll, to depth - 1. */
int gammon_evaluate(gammon_desk *desk, const gammon_question *question,
                    gammon_position *worth);
/* Games that are played on from a position, by decisions of the desk's depth: 36, whose numbers
   begin with `trial`. From a multiple of 36 on, they have each first roll of two dice once. */
int gammon_games(gammon_desk *desk, const gammon_question *question, gammon_game *games,
                 int room);

/* From another thread: end the answer that is under way, or the next one, with GAMMON_STOPPED;
   and read how many plays have been searched in the pass under way, of how many. */
void gammon_stop(gammon_desk *desk);
void gammon_progress(const gammon_desk *desk, int64_t *done, int64_t *all);

/* A fault in words. */
const char *gammon_words(int fault);

#ifdef __cplusplus
}
#endif

#endif
"""


def _comment(text: str, indent: str = "") -> str:
    """Return a comment of C, in lines of at most 92 letters."""
    inside = f"{indent}/* ", f"{indent}   "
    return textwrap.fill(
        f"{text} */", _WIDTH, initial_indent=inside[0], subsequent_indent=inside[1]
    )


def _field(kind: str, field: Field) -> str:
    sizes = "".join(f"[{each}]" for each in field.shape)
    return f"{_comment(field.doc, '    ')}\n    {kind} {field.name}{sizes};"


def _struct(struct: Struct) -> str:
    fields = [_field("int64_t", each) for each in struct.whole]
    fields += [_field("double", each) for each in struct.real]
    body = "\n".join(fields)
    return f"{_comment(struct.doc)}\ntypedef struct {{\n{body}\n}} gammon_{struct.name};\n"


def _faults() -> Iterator[str]:
    yield "/* Faults: what is wrong with a question, or why there is no answer. */"
    for number, (name, words) in enumerate(FAULTS.items(), 1):
        yield f"{_comment(words)}\n#define GAMMON_{name} (-{number})"


def header() -> str:
    """Return the text of `gammon.h`."""
    structs = [_struct(each) for each in (QUESTION, *ANSWERS)]
    head = _HEAD.replace("MOST\n", f"{MOST_PLAYS}\n")
    return "\n".join([head, *structs, *_faults(), "", _TAIL])
