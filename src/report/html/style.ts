const FILTERS = ['pass', 'fail', 'inconclusive', 'waived', 'not-tested', 'fixed', 'derived'];

/**
 * Each filter of the matrix: while its anchor is the URL's target, the other rows (and groups left empty) are hidden.
 */
const filterRules = FILTERS.map((name) => {
  const kept = name === 'fixed' || name === 'derived' ? `.level-${name}` : `.v-${name}`;
  return `#only-${name}:target~.matrix tbody tr:not(.group):not(${kept}),#only-${name}:target~.matrix tbody:not(:has(${kept})){display:none}
#only-${name}:target~.filters .to-only-${name}{background:var(--ink);color:var(--paper);border-color:var(--ink)}`;
}).join('\n');

/** The style sheet of the HTML report. Colours have a contrast of at least 4.5:1 on their ground, in both schemes. */
export const STYLE = `
:root{--paper:#fff;--ground:#f4f5f6;--ink:#15191e;--soft:#505863;--line:#d8dce1;--faint:#e9ebee;--link:#1b4f9c;
--pass:#14693a;--fail:#b3201a;--open:#855300;--waived:#6a3aa6;--none:#565e69;--tone:var(--ink);
--curve:#1b4f9c;--window:#eef2f8;--window2:#f7f9fc;--shade:#15191e14;--band:#e7cf9a;
--serif:Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,"Liberation Serif",serif;
--sans:"Helvetica Neue","Segoe UI",system-ui,-apple-system,"Liberation Sans",Arial,sans-serif;
--mono:ui-monospace,"SF Mono",Menlo,Consolas,"Cascadia Mono","DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{--paper:#14171b;--ground:#0d0f12;--ink:#e8eaed;--soft:#a2abb6;--line:#323941;--faint:#22272d;--link:#8db7f5;
--pass:#62c98f;--fail:#ff8b80;--open:#e4b65a;--waived:#c8a8f4;--none:#a2abb6;
--curve:#8db7f5;--window:#1b222c;--window2:#171b22;--shade:#e8eaed1f;--band:#6b5526}}
*{box-sizing:border-box}
html{font:16px/1.55 var(--sans);color:var(--ink);background:var(--ground);-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0}
a{color:var(--link);text-underline-offset:.15em;text-decoration-thickness:1px}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:2px}
:target{scroll-margin-top:1.5rem}
h1,h2,h3,h4,p,dl,dd,ol,ul,figure,blockquote,pre{margin:0;padding:0}
code,pre,.id,.evidence td,.digests dd{font-family:var(--mono)}
code{font-size:.88em}
.muted{color:var(--soft);font-size:.875rem}
.number{text-align:right;font-variant-numeric:tabular-nums}
.unseen,.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:focus{position:absolute;z-index:1;top:.5rem;left:.5rem;padding:.5rem .75rem;background:var(--paper)}

.tone-partial{--tone:var(--ink)}.tone-partial h1{font-size:clamp(1.75rem,4vw,2.5rem)}.tone-pass{--tone:var(--pass)}.tone-fail{--tone:var(--fail)}.tone-open{--tone:var(--open)}
.v-pass{--verdict:var(--pass)}.v-fail{--verdict:var(--fail)}.v-inconclusive{--verdict:var(--open)}.v-waived{--verdict:var(--waived)}.v-not-tested,.v-observed{--verdict:var(--none)}
.sign,.word{color:var(--verdict)}
.sign{display:inline-block;width:1em;font-weight:700;text-align:center}

.summary{background:var(--paper);border-top:6px solid var(--tone);border-bottom:1px solid var(--line)}
.inner,.page,.page-end{max-width:76rem;margin:0 auto;padding:0 2rem}
.inner{padding-top:2.5rem;padding-bottom:2.25rem}
.overline{font-size:.875rem;font-weight:600}
.overline span{font-weight:400;color:var(--soft);margin-left:.4em}
h1{font:600 clamp(2.4rem,6vw,3.75rem)/1.08 var(--serif);letter-spacing:-.015em;color:var(--tone);margin:.35rem 0 .75rem}
.lead{font:1.25rem/1.5 var(--serif);max-width:46rem;overflow-wrap:anywhere}
.facts{display:flex;flex-wrap:wrap;gap:.9rem 2.5rem}
.facts dt,.rows dt,.contrast dt{font-size:.8125rem;color:var(--soft)}
.facts dd{font-size:.9375rem;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.caveats{list-style:none;margin-top:1.5rem;border-left:3px solid var(--open);padding-left:1rem;max-width:52rem}
.caveats+.facts{margin-top:1.1rem}
.caveats li{padding:.15rem 0;overflow-wrap:anywhere}
.open{list-style:none;background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:.35rem 1.25rem}
.open li{padding:.6rem 0;font-size:.9375rem;overflow-wrap:anywhere}.open li+li{border-top:1px solid var(--faint)}
.word{font-weight:600;margin-right:.4em}

.tape{display:flex;gap:3px;list-style:none;margin:1.75rem 0 1.4rem;border-top:2px solid var(--ink)}
.tape li{display:flex;flex-direction:column-reverse;flex-basis:0;min-width:0}
.tape-title{font-size:.75rem;color:var(--soft);white-space:nowrap;overflow:hidden;text-overflow:ellipsis;padding-left:2px}
.tape li:last-child .tape-title{overflow:visible;direction:rtl;padding:0}
.marks{display:flex;height:2.5rem}
.marks a{flex:1;display:flex;flex-direction:column;align-items:center;min-width:0;text-decoration:none;color:var(--verdict);font-weight:700;font-size:.875rem;line-height:1.2}
.marks a::before{content:"";width:2px;height:.7rem;background:currentColor}
.marks a:not(.v-pass)::before{width:4px;height:1.35rem}
.marks a.v-not-tested::before{width:2px;background:none;border-left:2px dotted}
.marks a.v-fail::after{content:"✗"}.marks a.v-inconclusive::after{content:"?"}.marks a.v-waived::after{content:"~"}
.marks a:hover::before{height:1.35rem}

.failing{list-style:none;margin:1.4rem 0 0;max-width:64rem}
.failing li{display:grid;grid-template-columns:1.25em 9.5rem minmax(0,1fr);gap:0 .5rem;padding:.5rem 0;border-top:1px solid var(--faint);font-size:1.0625rem;overflow-wrap:anywhere}
.failing li:last-child{border-bottom:1px solid var(--faint)}
.failing .id{font-size:.9375rem}
.failing b{color:var(--verdict)}

.page{display:grid;grid-template-columns:11rem minmax(0,1fr);gap:0 3rem;align-items:start}
.contents{position:sticky;top:0;padding:2.75rem 0 2rem;font-size:.875rem}
.contents ol{list-style:none}
.contents a{display:block;padding:.3rem 0;color:var(--soft);text-decoration:none}
.contents a:hover{color:var(--ink);text-decoration:underline}
main{padding:0 0 3rem}
section{padding-top:2.75rem}
h2{font:600 1.625rem/1.25 var(--serif);margin-bottom:1rem}
h3{font-size:1.0625rem;line-height:1.4;margin:1.75rem 0 .5rem}
h4{font-size:.9375rem;margin:1.25rem 0 .4rem}
section>p+*,.scroll+p{margin-top:.75rem}

table{border-collapse:collapse;width:100%;font-size:.9375rem;background:var(--paper)}
th,td{padding:.5rem .75rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--faint)}
thead th{font-size:.8125rem;font-weight:400;color:var(--soft);border-bottom:1px solid var(--line);white-space:nowrap}
thead th.number{text-align:right}
tbody th{font-weight:400}
.matrix,.scroll,.failure,.budget,.mechanism,dl.rows{background:var(--paper);border:1px solid var(--line);border-radius:6px}
.scroll,.matrix{overflow-x:auto}
.scroll table{white-space:nowrap}
tbody tr:last-child>*{border-bottom:0}
.matrix tbody:not(:last-child) tr:last-child>*{border-bottom:1px solid var(--line)}
.group th{background:var(--ground);font-weight:600;font-size:.875rem}
.group span{font-weight:400;color:var(--soft);margin-left:.35em}
.matrix .verdict{white-space:nowrap;font-weight:600;color:var(--verdict)}
.matrix tr.v-pass .verdict,.matrix tr.v-not-tested .verdict{font-weight:400}
.matrix tr:target,.failure:target{box-shadow:inset 3px 0 var(--verdict)}
.id{font-size:.875em;font-weight:600;white-space:nowrap;margin-right:.35em}
.said{color:var(--soft);font-size:.875rem;max-width:46rem;overflow-wrap:anywhere}
.matrix tr.v-pass .said:not(.note){display:none}
.note::before{content:"Note: "}
.clause,.level,.witnesses{white-space:nowrap;color:var(--soft);font-size:.875rem}
.parts{display:flex;flex-wrap:wrap;gap:.25rem .9rem;list-style:none;margin-top:.25rem;font-size:.8125rem}
.folded{margin-top:.1rem}.folded summary{font-size:.8125rem;color:var(--soft)}.folded[open]>summary{margin:0}
.filters{display:flex;flex-wrap:wrap;gap:.4rem;margin-bottom:.9rem}
.filters a{padding:.2rem .7rem;border:1px solid var(--line);border-radius:1rem;background:var(--paper);color:var(--ink);text-decoration:none;font-size:.875rem}
.filters a:hover{border-color:var(--ink)}
.filters b{font-weight:600;font-variant-numeric:tabular-nums;margin-left:.15em}
.filters .to-all{background:var(--ink);color:var(--paper);border-color:var(--ink)}
.filter:target~.filters .to-all{background:var(--paper);color:var(--ink);border-color:var(--line)}
.filter{display:block;scroll-margin-top:6rem}
${filterRules}

.failure{padding:1.4rem 1.75rem;border-top:3px solid var(--verdict);margin-bottom:1.5rem}
.failure>.overline{font-weight:400}.failure .overline span:last-child{margin-left:0}.overline .sign{color:var(--verdict);margin-left:0}
.failure h3{margin:.2rem 0 .35rem;font-size:1.3125rem;overflow-wrap:anywhere}
.diagnosis{color:var(--verdict)}
.required{max-width:52rem;color:var(--soft)}
.failure>.scroll{margin-top:1rem}
.conclusion{margin-top:.75rem;max-width:52rem;overflow-wrap:anywhere}
.failure>details{margin-top:.6rem}
.follows{list-style:none}.follows li{padding:.15rem 0;overflow-wrap:anywhere}
.proof{margin:.75rem 0 1.25rem}
.proof h4 span{font-weight:400;color:var(--soft);margin-left:.6em}
.proof+.proof{border-top:1px solid var(--line);padding-top:.5rem}
.contrast{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.75rem 2rem;margin-bottom:1rem}
.contrast dd{overflow-wrap:anywhere}
.received dd{color:var(--verdict);font-weight:600}
.evidence{font-size:.8125rem}
.evidence th,.evidence td{padding:.4rem .4rem}
.evidence .request{white-space:normal;overflow-wrap:anywhere;min-width:13rem}
.evidence .refused{font-weight:700}
.evidence .absent{color:var(--fail)}
.argument{margin:1rem 0;padding-left:1.5rem;max-width:52rem}
.argument li{padding:.1rem 0 .1rem .25rem;overflow-wrap:anywhere}
pre{font-size:.8125rem;line-height:1.6;background:var(--ground);border:1px solid var(--faint);border-radius:4px;padding:.7rem .9rem;margin:.4rem 0 1rem;white-space:pre-wrap;overflow-wrap:anywhere;user-select:all}
section>pre{background:var(--paper);border-color:var(--line)}
details{margin-top:1rem}
summary{cursor:pointer;font-size:.875rem;color:var(--link)}
details[open]>summary{margin-bottom:.6rem}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr));gap:0 2.5rem;font-size:.9375rem;margin:.4rem 0 1rem}
.columns ul{padding-left:1.1rem}.columns li{padding:.1rem 0}.columns details{margin-top:.3rem}

.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;font-size:.8125rem;color:var(--soft);margin-bottom:1rem}
.legend li::before{content:"";display:inline-block;width:1.1rem;height:.6rem;margin-right:.4rem;vertical-align:baseline}
.legend .remaining::before{height:2px;background:var(--curve);vertical-align:middle}
.legend .predicted::before{height:.45rem;background:var(--band);vertical-align:middle}
.legend .refusals::before,.legend .others::before,.legend .unanswered::before{width:.5rem;height:.5rem;border-radius:50%;background:var(--fail)}
.legend .others::before{background:var(--none)}
.legend .unanswered::before{background:none;border:2px solid var(--open)}
.legend .marker::before{width:2px;background:var(--ink)}
.legend .window::before{background:var(--window);border:1px solid var(--line)}
.legend .uncertain::before{background:var(--shade)}
.legend .evidence::before{width:0;height:.8rem;border-left:2px dotted var(--fail);vertical-align:middle}
.budgets{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
.budget{padding:1.1rem 1.25rem;min-width:0}
.budgets+p{margin-top:1rem}
figcaption{font-size:.9375rem;margin-bottom:.35rem}
figcaption span{color:var(--soft);font-size:.8125rem;margin-left:.6em}
figcaption strong{display:block;color:var(--fail);font-size:.875rem}
.frame{padding:0 .75rem 0 2.25rem}
.plot{display:block;width:100%;height:212px;overflow:visible}
.plot path,.plot line{vector-effect:non-scaling-stroke;fill:none}
.plot .window.even{fill:var(--window)}.plot .window.odd{fill:var(--window2)}
.plot .uncertain{fill:var(--shade)}
.plot .grid{stroke:var(--line);stroke-dasharray:2 4}
.plot .axis{stroke:var(--soft)}
.plot .remaining{stroke:var(--curve);stroke-width:1.75}
.plot .predicted{stroke:var(--band);stroke-width:6;stroke-linejoin:round;stroke-linecap:round}
.plot .cursor{stroke:var(--link);stroke-width:1}.plot{cursor:crosshair;touch-action:pan-y}
figcaption output{display:block;min-height:1.4em;color:var(--soft);font-size:.8125rem;font-variant-numeric:tabular-nums}
.search{margin:2.75rem 0 -1.5rem;font-size:.875rem}.search input{font:inherit;width:min(20rem,100%);padding:.3rem .6rem;border:1px solid var(--line);border-radius:4px;background:var(--paper);color:var(--ink)}.search output{color:var(--soft);margin-left:.5rem}
button{font:inherit;padding:.1rem .6rem;border:1px solid var(--line);border-radius:1rem;background:var(--paper);color:var(--ink);cursor:pointer}
[hidden]{display:none!important}
.plot .evidence{stroke:var(--fail);stroke-width:1.5;stroke-dasharray:2 3}
.plot .marker{stroke:var(--ink);stroke-width:1.5}
.plot .refusals,.plot .others,.plot .unanswered{stroke-linecap:round;stroke-width:5;stroke:var(--fail)}
.plot .others{stroke:var(--none)}.plot .unanswered{stroke:var(--open)}
.plot text{font:11px var(--sans);fill:var(--soft)}
.windows{width:auto}
.over{color:var(--fail);font-weight:700}
.mechanism{padding:1.25rem 1.5rem;margin-bottom:1rem}
.mechanism h3{margin:0}
.mechanism .scroll{margin-top:1rem}.mechanism .scroll table{white-space:normal}.mechanism tbody th,.mechanism td{font-variant-numeric:tabular-nums}.mechanism thead th{white-space:normal;vertical-align:bottom}
.mechanism tbody th{white-space:nowrap}
.alike{margin-top:.75rem;font-size:.9375rem}
.refuted div,.rows div{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:.2rem 1.5rem;padding:.45rem 0;border-top:1px solid var(--faint);font-size:.9375rem}
.refuted dd,.rows dd{overflow-wrap:anywhere}
.refuted .muted{white-space:nowrap}
dl.rows{padding:.35rem 1.25rem}
.rows div:first-child{border-top:0}
.rows dt{padding-top:.1rem}
.observations th,.observations td{white-space:normal;overflow-wrap:anywhere;min-width:6rem}
.gauge{white-space:nowrap;font-variant-numeric:tabular-nums}
.gauge .track{fill:var(--faint)}.gauge .within{fill:var(--curve)}.gauge .over{fill:var(--fail)}.gauge .limit{stroke:var(--ink);stroke-width:2}
.page-end{padding-top:1.5rem;padding-bottom:2.5rem;border-top:1px solid var(--line);color:var(--soft);font-size:.8125rem}

@media (max-width:60rem){.page{grid-template-columns:minmax(0,1fr)}
.contents{position:static;padding:1.25rem 0 0}.contents ol{display:flex;flex-wrap:wrap;gap:0 1.1rem}}
@media (max-width:40rem){.inner,.page,.page-end{padding-left:1rem;padding-right:1rem}
.inner{padding-top:1.5rem;padding-bottom:1.5rem}.lead{font-size:1.125rem}
.facts{gap:.7rem 1.75rem}
.tape-title{display:none}
.matrix thead{display:none}
.matrix tr:not(.group){display:grid;grid-template-columns:auto auto 1fr;padding:.5rem .75rem;border-bottom:1px solid var(--faint)}
.matrix tr:not(.group)>*{padding:0;border:0!important}
.matrix tr:not(.group)>th{grid-column:1/-1;grid-row:2}
.matrix .verdict,.matrix .level,.matrix .clause{font-size:.8125rem;padding:.15rem .9rem 0 0!important}
.matrix .clause::before{content:"clause "}
.matrix .witnesses{display:none}
.matrix tbody{display:block}.matrix table{display:block}.matrix .group{display:block}.matrix .group th{display:block;border-bottom:1px solid var(--faint)}
.failing li{grid-template-columns:1.25em minmax(0,1fr)}.failing li span:last-child{grid-column:2}
.scroll:has(.evidence){border:0;border-radius:0}
.evidence thead{display:none}.evidence,.evidence tbody{display:block}
.evidence tr{display:flex;flex-wrap:wrap;gap:0 .9rem;padding:.45rem 0;border-top:1px solid var(--faint);white-space:normal}
.evidence td{padding:0;border:0;text-align:left}.evidence .request{flex:1 0 60%;min-width:0}
.evidence .status{font-weight:700}.evidence .field::before{content:attr(data-name) " ";font-family:var(--sans);color:var(--soft)}
.mechanism thead{display:none}.mechanism table,.mechanism tbody,.mechanism tr,.mechanism tbody>tr>*{display:block}
.mechanism .scroll{border:0}.mechanism tr{padding:.45rem 0;border-top:1px solid var(--faint)}.mechanism tbody>tr>*{padding:0;border:0}
.mechanism td{overflow-wrap:anywhere}.mechanism td::before{content:attr(data-name) ": ";color:var(--soft)}
.gauge svg{display:none}
.failure{padding:1.1rem 1rem}
.refuted div,.rows div{grid-template-columns:minmax(0,1fr)}
dl.rows,.mechanism,.budget{padding-left:1rem;padding-right:1rem}
.windows{width:100%;font-size:.8125rem}.windows th,.windows td{padding:.35rem .15rem;white-space:nowrap}
.frame{padding:0 .75rem 0 1.75rem}}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
@media print{:root{--paper:#fff;--ground:#fff;--ink:#000;--soft:#444;--line:#bbb;--faint:#ddd;--link:#000;--pass:#14693a;--fail:#b3201a;--open:#855300;--waived:#6a3aa6;--none:#444;--curve:#1b4f9c;--window:#eef2f8;--window2:#f7f9fc;--shade:#0002;--band:#e7cf9a}
html{font-size:10pt}.contents,.filters,.search,.hint,.skip{display:none}.page{display:block}
.failure,.budget,.mechanism,tr{break-inside:avoid}h2,h3{break-after:avoid}
pre,.scroll,.matrix{overflow:visible;white-space:pre-wrap}.scroll table{white-space:normal}pre code{white-space:pre-wrap;overflow-wrap:anywhere}
details::details-content{content-visibility:visible;display:block}details>summary{list-style:none}}
`.trim();
