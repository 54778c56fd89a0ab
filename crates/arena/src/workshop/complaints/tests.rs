//! What real compilers and interpreters write.

use super::{compiler_line, compiler_places, crash_line, crash_places};
use crate::limits;

/// Line, column, whether it is a warning, and what is wrong.
type Complaint = (u32, Option<u32>, bool, String);

fn compiled(file: &str, said: &str) -> (Option<String>, Vec<Complaint>) {
    let places = compiler_places(file, said);
    (compiler_line(file, said), places.into_iter().map(|p| (p.line, p.column, p.warning, p.text)).collect())
}

fn crashed(file: &str, said: &str) -> (String, Vec<(u32, Option<u32>)>) {
    let places = crash_places(file, said).into_iter().map(|place| (place.line, place.column));
    (crash_line(said).expect("a line"), places.collect())
}

#[test]
fn compilers_are_understood() {
    let gcc = "In file included from bot.cpp:1:\n\
               bot.cpp: In function 'int main()':\n\
               bot.cpp:2:7: warning: unused variable 'x' [-Wunused-variable]\n\
               \x20   2 |   int x;\n\
               bot.cpp:3:10: error: 'nonsense' was not declared in this scope\n\
               \x20   3 |   return nonsense;\n\
               bot.cpp:3:10: note: suggested alternative: 'sense'\n";
    let (line, places) = compiled("bot.cpp", gcc);
    assert_eq!(line.unwrap(), "bot.cpp:3:10: error: 'nonsense' was not declared in this scope");
    assert_eq!(places[0], (2, Some(7), true, "warning: unused variable 'x' [-Wunused-variable]".into()));
    assert_eq!(places[1], (3, Some(10), false, "error: 'nonsense' was not declared in this scope".into()));
    assert_eq!(places.len(), 2, "a note is no complaint: {places:?}");

    let rustc = "warning: unused variable: `y`\n --> a/bot.rs:1:17\n\n\
                 error[E0425]: cannot find value `x` in this scope\n --> a/bot.rs:2:5\n  |\n2 |     x\n  |     ^\n\
                 error: aborting due to 1 previous error; 1 warning emitted\n";
    let (line, places) = compiled("bot.rs", rustc);
    assert_eq!(line.unwrap(), "error[E0425]: cannot find value `x` in this scope");
    assert_eq!(
        places.iter().map(|(line, _, warning, _)| (*line, *warning)).collect::<Vec<_>>(),
        [(1, true), (2, false)]
    );

    let javac = "Bot.java:3: error: ';' expected\n    int x = 1\n             ^\n1 error\n";
    let (line, places) = compiled("Bot.java", javac);
    assert_eq!(line.unwrap(), "Bot.java:3: error: ';' expected");
    assert_eq!(places, [(3, None, false, "error: ';' expected".into())]);

    let go = "# command-line-arguments\n./bot.go:4:2: undefined: x\n";
    let (line, places) = compiled("bot.go", go);
    assert_eq!((line.unwrap().as_str(), places[0].0), ("./bot.go:4:2: undefined: x", 4));

    let linker = "/usr/bin/ld: /tmp/cc.o: in function `main':\nbot.c:(.text+0x5): undefined reference to `f'\n\
                  collect2: error: ld returned 1 exit status\n";
    assert_eq!(
        compiled("bot.c", linker),
        (Some("collect2: error: ld returned 1 exit status".into()), vec![])
    );
    assert_eq!(compiled("bot.c", "no words for this\n\n").0.unwrap(), "no words for this");
    assert_eq!(compiled("bot.c", ""), (None, vec![]));
}

#[test]
fn tracebacks_are_understood() {
    let python = "reading the map\nTraceback (most recent call last):\n  File \"/bot/crash.py\", line 9, in <module>\n    \
                  main()\n  File \"/bot/crash.py\", line 3, in main\n    return state['map']\n           ~~~~~^^^^^^^\n\
                  KeyError: 'map'\nsomething at exit\n";
    assert_eq!(crashed("crash.py", python), ("KeyError: 'map'".into(), vec![(3, None)]));
    let syntax = "  File \"/bot/crash.py\", line 2\n    if x\n        ^\nSyntaxError: expected ':'\n";
    assert_eq!(crashed("crash.py", syntax), ("SyntaxError: expected ':'".into(), vec![(2, None)]));
    // Inside of a library the author's own line is meant.
    let library = "Traceback (most recent call last):\n  File \"/bot/crash.py\", line 5, in <module>\n    json.loads('')\n  \
                   File \"/usr/lib/python3/json/decoder.py\", line 355, in raw_decode\njson.decoder.JSONDecodeError: Expecting value\n";
    assert_eq!(crashed("crash.py", library).1, [(5, None)]);

    let node = "/bot/bot.js:2\n  x.y\n  ^\n\nReferenceError: x is not defined\n    at f (/bot/bot.js:2:3)\n    \
                at Object.<anonymous> (/bot/bot.js:9:1)\n\nNode.js v22.1.0\n";
    assert_eq!(crashed("bot.js", node), ("ReferenceError: x is not defined".into(), vec![(2, None)]));
    let java = "Exception in thread \"main\" java.lang.ArithmeticException: / by zero\n\tat Bot.move(Bot.java:7)\n\t\
                at Bot.main(Bot.java:12)\n";
    let (line, places) = crashed("Bot.java", java);
    assert_eq!(line, "Exception in thread \"main\" java.lang.ArithmeticException: / by zero");
    assert_eq!(places, [(7, None)]);
    let rust = "thread 'main' panicked at bot.rs:4:5:\nindex out of bounds: the len is 0 but the index is 1\n\
                note: run with `RUST_BACKTRACE=1`\n";
    let (line, places) = crashed("bot.rs", rust);
    assert_eq!(
        line,
        "thread 'main' panicked at bot.rs:4:5: index out of bounds: the len is 0 but the index is 1"
    );
    assert_eq!(places, [(4, Some(5))]);
    let cpp = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::at\n";
    assert_eq!(crashed("bot.cpp", cpp), ("what():  vector::at".into(), vec![]));
    assert_eq!(crash_line("\n\n"), None);
}

#[test]
fn nothing_grows_without_bounds() {
    let flood = "bot.c:1:1: error: x\n".repeat(10_000);
    assert_eq!(compiler_places("bot.c", &flood).len(), limits::COMPLAINTS);
    let long = format!("bot.c:1:1: error: {}\0{}", "ű".repeat(limits::COMPLAINT_BYTES), "x".repeat(100_000));
    let line = compiler_line("bot.c", &long).unwrap();
    assert!(line.len() <= limits::COMPLAINT_BYTES + '…'.len_utf8() && line.ends_with('…'), "{}", line.len());
    for odd in ["bot.c:", "bot.c:0: error: x", "bot.c:99999999999: error: x", "mybot.c:3:1: error: x"] {
        assert_eq!(compiler_places("bot.c", odd), [], "{odd}");
    }
}
