extension HTMLPage {
  static let styleSheet = """

    :root {
      color-scheme: light dark;
      --page: #f6f7f9; --card: #ffffff; --ink: #1c2128; --dim: #5c6570; --line: #dfe3e8;
      --code: #eef1f5; --accent: #2f5fd0;
      --good: #1a7f4b; --bad: #c2323c; --changed: #96610a; --moved: #2f5fd0;
      --good-wash: #e3f4ea; --bad-wash: #fdeaea; --changed-wash: #fbf0da; --moved-wash: #e8effc;
      --c0: #3b6fd8; --c1: #18967f; --c2: #c98412; --c3: #8a94a3; --c4: #9c55c4; --c5: #c94a78;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #0f1216; --card: #171b21; --ink: #e4e8ee; --dim: #97a1ae; --line: #2a313a;
        --code: #20262e; --accent: #86a9f7;
        --good: #58c98c; --bad: #f2848a; --changed: #e3b25a; --moved: #86a9f7;
        --good-wash: #15301f; --bad-wash: #391b1e; --changed-wash: #33270f; --moved-wash: #1a2540;
        --c0: #6f9bf2; --c1: #43c2a8; --c2: #e3a948; --c3: #7f8a99; --c4: #c08ae2; --c5: #ec86aa;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0 auto; max-width: 66rem; padding: 2.5rem 1.5rem 4rem; background: var(--page);
      color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
      overflow-wrap: break-word;
    }
    code, text, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    code { font-size: 0.86em; }
    code.option { white-space: nowrap; }
    h1, h1 + p, .command pre, .scroll td code { overflow-wrap: anywhere; }
    h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 0.3rem; letter-spacing: -0.01em; }
    h2 { font-size: 1.15rem; margin: 0 0 0.9rem; }
    h3 { font-size: 0.95rem; font-weight: 600; margin: 1.4rem 0 0.5rem; }
    p { margin: 0.3rem 0; }
    .dim { color: var(--dim); }
    section {
      background: var(--card); border: 1px solid var(--line); border-radius: 12px;
      padding: 1.3rem 1.4rem; margin-top: 1.2rem;
    }
    .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 0.8rem; margin-top: 1.4rem; }
    .tile { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 0.8rem 1rem; }
    .tile b { display: block; font-size: 1.45rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
    .tile.bad b { color: var(--bad); }
    .tile.good b { color: var(--good); }
    .tile span { color: var(--dim); font-size: 0.86rem; }
    .command { display: flex; gap: 0.8rem; align-items: center; margin-top: 0.3rem; }
    .next { margin-top: 1.2rem; }
    .command pre {
      flex: 1; margin: 0; padding: 0.7rem 0.9rem; background: var(--code); border-radius: 8px;
      overflow-x: auto; font-size: 0.86rem; white-space: pre-wrap;
    }
    button, input {
      font: inherit; font-size: 0.9rem; color: inherit; background: var(--card);
      border: 1px solid var(--line); border-radius: 8px; padding: 0.45rem 0.8rem;
    }
    button { cursor: pointer; }
    input { width: min(24rem, 100%); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    #search {
      position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0.3rem 0.8rem;
      align-items: center; padding: 0.9rem 0 0.2rem; background: var(--page);
    }
    #search[hidden] { display: none; }
    .scroll { overflow-x: auto; }
    .scroll td code { white-space: nowrap; }
    table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
    th { text-align: left; font-weight: 500; color: var(--dim); font-size: 0.82rem; }
    th, td { padding: 0.38rem 0.9rem 0.38rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    tr:last-child > td { border-bottom: 0; }
    td:last-child, th:last-child { padding-right: 0; }
    .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .good { color: var(--good); } .bad { color: var(--bad); } .changed { color: var(--changed); }
    .tag { border-radius: 99px; padding: 0.05rem 0.55rem; font-size: 0.8rem; white-space: nowrap; }
    .tag.good { background: var(--good-wash); } .tag.bad { background: var(--bad-wash); }
    .tag.changed { background: var(--changed-wash); } .tag.moved { background: var(--moved-wash); color: var(--moved); }
    .picture { width: 100%; height: auto; display: block; }
    .picture.narrow { display: none; }
    .picture .box { fill: var(--card); stroke: var(--line); }
    .picture .head { fill: var(--code); }
    .picture text { fill: var(--ink); font-size: 13px; }
    .picture text.name { font-weight: 600; }
    .picture text.dim { fill: var(--dim); font-size: 12px; }
    .picture path { fill: none; stroke-width: 2; opacity: 0.85; }
    .picture .renamed { stroke: var(--moved); } .picture .moved { stroke: var(--moved); }
    .picture .converted { stroke: var(--changed); } .picture .entity { stroke: var(--dim); stroke-dasharray: 3 4; }
    .picture text.added { fill: var(--good); } .picture text.filled { fill: var(--changed); }
    .picture text.lost { fill: var(--bad); text-decoration: line-through; }
    .picture text.gone { fill: var(--bad); font-size: 12px; }
    .key { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0.9rem 0 0; font-size: 0.85rem; }
    .bar { display: block; width: 100%; height: 1.5rem; border-radius: 6px; background: var(--code); }
    .bar.thin { height: 0.6rem; min-width: 5rem; margin-top: 0.45rem; }
    .c0 { fill: var(--c0); } .c1 { fill: var(--c1); } .c2 { fill: var(--c2); }
    .c3 { fill: var(--c3); } .c4 { fill: var(--c4); } .c5 { fill: var(--c5); }
    .legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; margin: 0.5rem 0 0; padding: 0; list-style: none; font-size: 0.88rem; }
    .legend svg { width: 0.7rem; height: 0.7rem; border-radius: 3px; margin-right: 0.4rem; }
    .legend b { font-variant-numeric: tabular-nums; }
    .warning { border-left: 3px solid var(--changed); padding-left: 0.9rem; margin: 1.1rem 0; }
    .warning p { max-width: 52rem; }
    details { margin-top: 0.5rem; }
    summary { cursor: pointer; color: var(--dim); font-size: 0.88rem; }
    footer { margin-top: 2rem; color: var(--dim); font-size: 0.85rem; }
    @media (max-width: 40rem) {
      body { padding: 1.2rem 0.9rem 3rem; }
      section { padding: 1rem; }
      h1 { font-size: 1.4rem; }
      .command { flex-direction: column; align-items: stretch; }
      .picture.wide { display: none; }
      .picture.narrow { display: block; }
      .stack thead, .stack td:empty { display: none; }
      .stack tr { display: block; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
      .stack tr[hidden] { display: none; }
      .stack tr:last-child { border-bottom: 0; }
      .stack td { display: inline; border: 0; padding: 0 0.4rem 0 0; }
      .stack td code { white-space: normal; }
      #examples .stack td { display: block; }
      .stack .number[data-unit]::after { content: " " attr(data-unit); }
    }
    @media print {
      body { background: none; max-width: none; padding: 0; }
      section, .tile { break-inside: avoid; }
      #search, #copy { display: none; }
    }

    """
}
