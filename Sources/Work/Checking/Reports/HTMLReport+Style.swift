extension HTMLReport {
    static let style = """

        :root {
          color-scheme: light dark;
          --paper: #ffffff; --soft: #f4f5f7; --line: #d5d8de; --ink: #1a1d23; --faint: #59606c; --focus: #0b57d0;
          --passed: #17663a; --failed: #b3261e; --error: #9a3412; --blocked: #7a5200; --notRun: #565d69;
          --expected-paper: #e4e7ec; --found: #82071e; --found-paper: #ffebe9;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #15171b; --soft: #1f2228; --line: #3a3f49; --ink: #e8eaee; --faint: #a3aab6; --focus: #8ab4f8;
            --passed: #6dd58c; --failed: #ff8a80; --error: #ffab91; --blocked: #f2c14e; --notRun: #aab1bd;
            --expected-paper: #343943; --found: #ffb3ab; --found-paper: #3c1f20;
          }
        }
        * { box-sizing: border-box; }
        html { scroll-padding-top: 1rem; }
        body {
          margin: 0 auto; padding: 1rem; max-width: 64rem; background: var(--paper); color: var(--ink);
          font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
        }
        h1, h2, h3 { line-height: 1.25; margin: 1.25rem 0 .5rem; }
        h1 { font-size: 1.125rem; margin-top: 0; color: var(--faint); }
        h2 { font-size: 1.125rem; }
        h3 { font-size: .875rem; color: var(--faint); }
        p { margin: .25rem 0; }
        pre, code { font: .8125rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
        pre {
          margin: .25rem 0; padding: .5rem .75rem; background: var(--soft); border-radius: .375rem;
          white-space: pre-wrap; max-height: 24rem; overflow-y: auto;
        }
        .headline { font-size: 1.5rem; font-weight: 650; line-height: 1.25; margin: 0 0 .5rem; }
        .passed { color: var(--passed); } .failed { color: var(--failed); } .error { color: var(--error); }
        .blocked, .flaky { color: var(--blocked); } .notRun, .notJudged { color: var(--notRun); }
        .remark { color: var(--blocked); }
        .about, .time { color: var(--faint); font-size: .875rem; }
        header ul { display: flex; flex-wrap: wrap; gap: .25rem 2rem; margin: 0; padding: 0; list-style: none; }
        header li span, .failure dt { color: var(--faint); font-size: .875rem; }
        header li span { display: block; }
        dd { margin: 0; }
        h3 { margin-top: .75rem; }
        #filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 1rem 0; }
        #filter[hidden] { display: none; }
        fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem; }
        legend { float: left; padding: .25rem .5rem .25rem 0; color: var(--faint); }
        fieldset label { border: 1px solid var(--line); border-radius: 1rem; padding: .25rem .75rem; cursor: pointer; }
        .text { display: flex; gap: .5rem; align-items: center; flex: 1 1 14rem; color: var(--faint); }
        input[type=search] {
          flex: 1; min-width: 0; font: inherit; color: var(--ink); background: var(--paper); padding: .25rem .5rem;
          border: 1px solid var(--faint); border-radius: .375rem;
        }
        output { color: var(--faint); font-size: .875rem; }
        :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
        #timeline { margin-top: 1.25rem; }
        #timeline > summary { padding: .375rem 0; }
        #timeline h2 { display: inline; }
        #timeline ol { margin: 0; padding: 0; list-style: none; }
        #timeline a {
          display: grid; grid-template-columns: minmax(0, 18rem) 1fr 9rem; gap: 0 .75rem; align-items: center;
          padding: .125rem .25rem; border-radius: .25rem; color: inherit; text-decoration: none;
        }
        #timeline a:hover, #timeline a:focus-visible { background: var(--soft); }
        #timeline a:hover .name { text-decoration: underline; }
        .name { font-size: .875rem; }
        .track { position: relative; display: block; height: .75rem; background: var(--soft); border-radius: .25rem; }
        .bar {
          position: absolute; top: 0; bottom: 0; min-width: 3px; max-width: 100%; background: currentColor;
          border-radius: .125rem;
        }
        .case, .step { border: 1px solid var(--line); border-radius: .375rem; margin: .375rem 0; }
        .case[hidden] { display: none; }
        .case:target, .step:target { border-color: var(--focus); }
        summary { padding: .375rem .75rem; cursor: pointer; }
        summary .id { font-weight: 550; }
        summary .exchange {
          display: inline-block; font: .8125rem/1.5 ui-monospace, Menlo, Consolas, monospace; color: var(--faint);
        }
        summary .time { float: right; margin-left: .75rem; }
        .body { padding: 0 .75rem .75rem; }
        .badge {
          display: inline-block; min-width: 4.5rem; text-align: center; font-size: .8125rem; font-weight: 600;
          border: 1px solid currentColor; border-radius: .25rem; padding: 0 .375rem; margin-right: .25rem;
        }
        .with-copy { position: relative; }
        .with-copy pre { padding-right: 5rem; }
        .copy {
          position: absolute; top: .375rem; right: .375rem; font: inherit; font-size: .8125rem; cursor: pointer;
          color: var(--ink); background: var(--paper); border: 1px solid var(--faint); border-radius: .25rem;
          padding: .125rem .5rem;
        }
        .failure { border-left: 3px solid var(--failed); padding-left: .75rem; margin: .5rem 0; }
        .failure dl { margin: .25rem 0; display: grid; grid-template-columns: 4.5rem 1fr; column-gap: .75rem; }
        .failure code { white-space: pre-wrap; }
        .expected { background: var(--expected-paper); }
        .actual { color: var(--found); background: var(--found-paper); }
        dd.expected, dd.actual { padding: 0 .375rem; border-radius: .25rem; }
        .legend { font-size: .8125rem; }
        .legend span { padding: 0 .375rem; border-radius: .25rem; }
        .difference .note { color: var(--faint); }
        @media (max-width: 30rem) {
          body { padding: .75rem; }
          .headline { font-size: 1.25rem; }
          .failure dl { display: block; }
          summary .time { float: none; margin-left: .5rem; }
          #timeline a { grid-template-columns: 1fr auto; padding: .375rem .25rem; }
          #timeline .track { grid-column: 1 / -1; grid-row: 2; }
        }
        @media print { #filter, .copy { display: none; } pre { max-height: none; } }

        """
}
