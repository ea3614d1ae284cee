"""The style sheet of the page and its little script, which it can do without."""

from gammon.svg.sheet import sheet_style

__all__ = ["SCRIPT", "style"]

#: The colours of the page in light, in dark and on paper; e1 to e3 are those of errors.
_PAGE = {
    "light": (
        "--bg:#f6f3ec;--card:#fff;--fg:#22262b;--soft:#5c6470;--line:#d9d2c3;--k:#eef4fb;"
        "--m:#fbeeea;--e0:#5c6470;--e1:#8a5a00;--e2:#b8430a;--e3:#b3162c;"
    ),
    "dark": (
        "--bg:#101316;--card:#191d22;--fg:#e8e6e1;--soft:#a3abb5;--line:#343b43;--k:#2a2a1d;"
        "--m:#3a2222;--e0:#a3abb5;--e1:#f2c14e;--e2:#ff9a5c;--e3:#ff7b84;"
    ),
    "print": (
        "--bg:#fff;--card:#fff;--fg:#000;--soft:#333;--line:#999;--k:#f0f0f0;--m:#f0f0f0;"
        "--e0:#000;--e1:#000;--e2:#000;--e3:#000;"
    ),
}

_RULES = """
*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif}
main{max-width:72rem;margin:0 auto;padding:1rem clamp(.6rem,2.5vw,2rem) 4rem}
h1{font-size:clamp(1.4rem,4vw,2.1rem);line-height:1.2;margin:.6rem 0 .2rem}
h2{font-size:1.25rem;margin:2.2rem 0 .6rem}
p{margin:.3rem 0}a{color:inherit}
.s{color:var(--soft);font-size:.9rem}
.box{background:var(--card);border:1px solid var(--line);border-radius:.7rem}
.box{padding:.9rem 1.1rem}
.two{display:grid;grid-template-columns:1fr 1fr;gap:.8rem}
.two .box{min-width:0}.two h3{margin:0;font-size:1.1rem;overflow-wrap:anywhere}
.pr{font-size:clamp(2rem,8vw,2.9rem);font-weight:700;line-height:1.15}
.pr small{font-size:1rem;font-weight:400;color:var(--soft)}
.w{overflow-x:auto;max-width:100%}
.w table,.more table{border-collapse:collapse;font-variant-numeric:tabular-nums}
.g{font-size:.82rem;line-height:1.4;margin:.2rem 0 .7rem}
.g th{font-weight:400;color:var(--soft)}
.g th,.g td{padding:.1rem .35rem;text-align:right;white-space:nowrap}
.g th:first-child,.g td:first-child{text-align:left;padding-left:.4rem}
.g [colspan]{text-align:center;border-bottom:1px solid var(--line)}
.g .k{background:var(--k);font-weight:600}.g .m{background:var(--m)}
.g .m td:first-child::after{content:" \\2190 made";color:var(--e3);font-size:.85em}
.e{font-variant-numeric:tabular-nums;white-space:nowrap;color:var(--e0);font-weight:600}
.e1{color:var(--e1)}.e2{color:var(--e2)}.e3{color:var(--e3)}
.sw{display:inline-block;width:.8em;height:.8em;border-radius:50%;margin-right:.35em;
 border:1.5px solid var(--gb-x-edge);background:var(--gb-x-fill)}
.sw.x{box-shadow:inset 0 0 0 .12em var(--gb-x-fill),inset 0 0 0 .2em var(--gb-x-mark)}
.sw.o{background:var(--gb-o-fill);border-color:var(--gb-o-edge)}
ol.worst{list-style:none;margin:0;padding:0}
ol.worst a{display:flex;flex-wrap:wrap;gap:.1rem .6rem;align-items:baseline;
 padding:.35rem .2rem;text-decoration:none;border-bottom:1px solid var(--line)}
ol.worst a:hover,summary:hover{background:var(--k)}
ol.worst .e{min-width:8.6rem}
.t{background:var(--card);border:1px solid var(--line);border-radius:.5rem;margin:.3rem 0}
.t:target{outline:3px solid var(--gb-arrow)}
.t>summary{padding:.3rem .7rem;cursor:pointer;border-radius:.5rem;overflow-wrap:anywhere}
.n{display:inline-block;min-width:1.9em;color:var(--soft);font-variant-numeric:tabular-nums}
.u{margin-right:.3em}.d{font-weight:700;letter-spacing:.05em}
.t .s{margin-left:.4em}
.c{display:grid;grid-template-columns:minmax(0,22rem) minmax(0,1fr);gap:.4rem 1rem;
 padding:.3rem .7rem .7rem}
.c>*{min-width:0}
.gammon-board,.graph{display:block;width:100%;height:auto}
.id{margin:.2rem 0;font-size:.76rem;line-height:1.3}
.id code{overflow-wrap:anywhere;user-select:all}
button{font:inherit;color:inherit;background:none;border:1px solid var(--line);
 border-radius:.4rem;padding:0 .5rem;cursor:pointer}
button:hover{background:var(--k)}
.bar{display:flex;flex-wrap:wrap;gap:.5rem;margin:.5rem 0}
.more summary{cursor:pointer}
.more table td,.more table th{padding:.1rem .6rem;white-space:nowrap}
.more .left{text-align:left}.more .right{text-align:right}.more .bold{font-weight:bold}
.box.more{margin-top:.8rem}
.gb-parts{position:absolute}
.scroll{overflow-x:auto}.scroll>.graph{min-width:38rem}
.gb-best polygon{fill:var(--gb-arrow);stroke:var(--gb-halo);stroke-width:1.5}
.gb-best path{stroke:var(--gb-arrow);stroke-width:5;fill:none}
.gb-made polygon{fill:var(--e3);fill-opacity:.16;stroke:var(--e3);stroke-width:3.2;
 stroke-dasharray:7 4}
.gb-made path{stroke:var(--e3);stroke-width:4;fill:none}
.key{display:inline-block;width:1.7em;height:.6em;vertical-align:baseline;margin:0 .3em 0 .8em;
 background:var(--gb-arrow)}
.key.made{background:none;border:2px dashed var(--e3)}
.gl{fill:none;stroke:var(--gb-arrow);stroke-width:2.5;stroke-linejoin:round}
.gg{stroke:var(--gb-edge);stroke-width:1;stroke-dasharray:2 5}
.gs{stroke:var(--gb-edge);stroke-width:1.5}
.dot{stroke:var(--gb-halo);stroke-width:1.5;fill:currentColor}
.dot:hover{stroke:var(--fg)}
@media(max-width:46rem){.c{grid-template-columns:minmax(0,1fr)}.c .b{max-width:26rem}}
@media(max-width:30rem){.two{gap:.5rem}.box{padding:.6rem .7rem}.pr small{display:block}
 .t .c{padding:.3rem .4rem .7rem}.g{font-size:.7rem}.g th,.g td{padding:.1rem .13rem}
 .g td:first-child{white-space:normal}.g th:first-child,.g td:first-child{position:sticky;
 left:0;padding-left:.2rem;background:var(--card)}.g .k td:first-child{background:var(--k)}
 .g .m td:first-child{background:var(--m)}}
@media print{*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
 body{font-size:10pt}main{max-width:none;padding:0}.bar,button{display:none}
 .t{break-inside:avoid}h2{break-after:avoid}.c{grid-template-columns:12rem minmax(0,1fr)}
 .g{font-size:6.5pt}.g th,.g td{padding:.05rem .2rem}}
"""

#: Adds buttons: to copy each XGID, and to open and fold turns.
SCRIPT = """
document.querySelectorAll('.id code').forEach(c=>{const b=document.createElement('button');
b.textContent='copy';b.onclick=()=>{const r=document.createRange();r.selectNodeContents(c);
const s=getSelection();s.removeAllRanges();s.addRange(r);
(navigator.clipboard?navigator.clipboard.writeText(c.textContent)
:Promise.resolve(document.execCommand('copy'))).then(()=>{b.textContent='copied';
setTimeout(()=>b.textContent='copy',1200)},()=>{})};c.after(' ',b)});
const all=document.querySelectorAll('.t'),kept=[...all].map(t=>t.open),
bar=document.querySelector('div.bar');
[['Open all',()=>true],['Only errors',i=>kept[i]],['Fold all',()=>false]].forEach(([n,f])=>{
const b=document.createElement('button');b.textContent=n;
b.onclick=()=>all.forEach((t,i)=>t.open=f(i));bar.append(b)});
const go=()=>{const t=document.getElementById(location.hash.slice(1));
if(t&&t.tagName=='DETAILS'){t.open=true;t.scrollIntoView()}};
addEventListener('hashchange',go);go();
"""


def style(night: str = "") -> str:
    """Return the style sheet, with the colours of boards in light, in dark and on paper.

    Args:
        night: a selector of where it is dark; unless given, the reader's system says so.
    """
    colours = {name: f"{page}{sheet_style(name)}" for name, page in _PAGE.items()}
    dark = f"{night or ':root'}{{{colours['dark']}}}"
    if not night:
        dark = f"@media screen and (prefers-color-scheme:dark){{{dark}}}"
    return (
        f":root{{color-scheme:light{' dark' * (not night)}}}:root{{{colours['light']}}}{dark}"
        f"@media print{{:root{{{colours['print']}}}}}{_RULES}"
    )
