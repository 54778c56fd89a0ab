//! The languages there are kits in.

/// A language, and what its kits are made of.
#[derive(Debug)]
pub struct Language {
    /// What it is called on command lines and in the names of files.
    pub id: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// The file that is compiled or started.
    pub main: &'static str,
    /// The file that a person edits.
    pub bot: &'static str,
    /// How its tests are run, in the kit's folder.
    pub test: &'static str,
    /// How a program for its debugger is made, if it needs one.
    pub build: Option<&'static str>,
    /// Its debugger in the words of VS Code. `PACKETS` is the file to read instead of standard input.
    pub debugger: &'static str,
    /// Names and templates of its files.
    pub(crate) files: &'static [(&'static str, &'static str)],
}

macro_rules! files {
    ($id:literal: $($file:literal),+) => {
        &[$(($file, include_str!(concat!("../languages/", $id, "/", $file)))),+]
    };
}

/// Those that GDB debugs.
const GDB: &str = r#""type": "cppdbg", "MIMode": "gdb", "program": "${workspaceFolder}/target/bot", "cwd": "${workspaceFolder}", "environment": [{ "name": "PALESTRA_PACKETS", "value": "PACKETS" }]"#;

/// All of them, in the order they are shown.
pub const LANGUAGES: &[Language] = &[
    Language {
        id: "python",
        title: "Python",
        main: "main.py",
        bot: "bot.py",
        test: "python3 test_bot.py",
        build: None,
        debugger: r#""type": "debugpy", "program": "${workspaceFolder}/main.py", "cwd": "${workspaceFolder}", "env": { "PALESTRA_PACKETS": "PACKETS" }"#,
        files: files!("python": "protocol.py", "main.py", "test_bot.py"),
    },
    Language {
        id: "cpp",
        title: "C++",
        main: "main.cpp",
        bot: "bot.hpp",
        test: "mkdir -p target && g++ -std=c++20 -g -o target/test test.cpp && target/test",
        build: Some("mkdir -p target && g++ -std=c++20 -g -o target/bot main.cpp"),
        debugger: GDB,
        files: files!("cpp": "protocol.hpp", "main.cpp", "test.cpp"),
    },
    Language {
        id: "c",
        title: "C",
        main: "main.c",
        bot: "bot.h",
        test: "mkdir -p target && gcc -g -o target/test test.c && target/test",
        build: Some("mkdir -p target && gcc -g -o target/bot main.c"),
        debugger: GDB,
        files: files!("c": "protocol.h", "main.c", "test.c"),
    },
    Language {
        id: "rust",
        title: "Rust",
        main: "main.rs",
        bot: "bot.rs",
        test: "cargo test",
        build: Some("mkdir -p target && rustc --edition 2021 -g -o target/bot main.rs"),
        debugger: GDB,
        files: files!("rust": "Cargo.toml", "protocol.rs", "main.rs", "test.rs"),
    },
    Language {
        id: "java",
        title: "Java",
        main: "Main.java",
        bot: "Bot.java",
        test: "javac -d target *.java && java -cp target BotTest",
        build: None,
        debugger: r#""type": "java", "mainClass": "Main", "cwd": "${workspaceFolder}", "env": { "PALESTRA_PACKETS": "PACKETS" }"#,
        files: files!("java": "Protocol.java", "Main.java", "BotTest.java"),
    },
    Language {
        id: "kotlin",
        title: "Kotlin",
        main: "main.kt",
        bot: "bot.kt",
        test: "kotlinc -d target bot.kt protocol.kt test.kt && kotlin -cp target TestKt",
        build: Some("kotlinc -d target bot.kt protocol.kt main.kt"),
        debugger: r#""type": "java", "mainClass": "MainKt", "classPaths": ["${workspaceFolder}/target"], "cwd": "${workspaceFolder}", "env": { "PALESTRA_PACKETS": "PACKETS" }"#,
        files: files!("kotlin": "protocol.kt", "main.kt", "test.kt"),
    },
    Language {
        id: "csharp",
        title: "C#",
        main: "main.cs",
        bot: "bot.cs",
        test: "mkdir -p target && mcs -debug -out:target/test.exe test.cs bot.cs protocol.cs && mono target/test.exe",
        build: Some("mkdir -p target && mcs -debug -out:target/bot.exe main.cs bot.cs protocol.cs"),
        debugger: r#""type": "mono", "program": "${workspaceFolder}/target/bot.exe", "cwd": "${workspaceFolder}", "env": { "PALESTRA_PACKETS": "PACKETS" }"#,
        files: files!("csharp": "protocol.cs", "main.cs", "test.cs"),
    },
    Language {
        id: "go",
        title: "Go",
        main: "main.go",
        bot: "bot.go",
        test: "go test",
        build: None,
        debugger: r#""type": "go", "mode": "debug", "program": "${workspaceFolder}", "cwd": "${workspaceFolder}", "env": { "PALESTRA_PACKETS": "PACKETS" }"#,
        files: files!("go": "go.mod", "protocol.go", "main.go", "bot_test.go"),
    },
    Language {
        id: "javascript",
        title: "JavaScript",
        main: "main.js",
        bot: "bot.js",
        test: "node test.js",
        build: None,
        debugger: r#""type": "node", "program": "${workspaceFolder}/main.js", "cwd": "${workspaceFolder}", "env": { "PALESTRA_PACKETS": "PACKETS" }"#,
        files: files!("javascript": "protocol.js", "main.js", "test.js"),
    },
    Language {
        id: "typescript",
        title: "TypeScript",
        main: "main.ts",
        bot: "bot.ts",
        test: "node --experimental-strip-types test.ts",
        build: None,
        debugger: r#""type": "node", "program": "${workspaceFolder}/main.ts", "runtimeArgs": ["--experimental-strip-types"], "cwd": "${workspaceFolder}", "env": { "PALESTRA_PACKETS": "PACKETS" }"#,
        files: files!("typescript": "package.json", "protocol.ts", "main.ts", "test.ts"),
    },
    Language {
        id: "pascal",
        title: "Pascal",
        main: "main.pas",
        bot: "bot.pas",
        test: "mkdir -p target && fpc -g -FEtarget -FUtarget -otarget/test test.pas && target/test",
        build: Some("mkdir -p target && fpc -g -FEtarget -FUtarget -otarget/bot main.pas"),
        debugger: GDB,
        files: files!("pascal": "protocol.pas", "main.pas", "test.pas"),
    },
    Language {
        id: "ruby",
        title: "Ruby",
        main: "main.rb",
        bot: "bot.rb",
        test: "ruby test.rb",
        build: None,
        debugger: r#""type": "rdbg", "script": "${workspaceFolder}/main.rb", "cwd": "${workspaceFolder}", "env": { "PALESTRA_PACKETS": "PACKETS" }"#,
        files: files!("ruby": "protocol.rb", "main.rb", "test.rb"),
    },
    Language {
        id: "php",
        title: "PHP",
        main: "main.php",
        bot: "bot.php",
        test: "php test.php",
        build: None,
        debugger: r#""type": "php", "program": "${workspaceFolder}/main.php", "cwd": "${workspaceFolder}", "env": { "PALESTRA_PACKETS": "PACKETS" }"#,
        files: files!("php": "protocol.php", "main.php", "test.php"),
    },
];

/// The language of this name: its id, what people call it, or the ending of its files.
pub fn language(name: &str) -> Option<&'static Language> {
    let name = name.to_lowercase();
    let ending = |language: &Language| language.main.rsplit('.').next().is_some_and(|ending| ending == name);
    LANGUAGES.iter().find(|one| one.id == name || one.title.to_lowercase() == name || ending(one))
}
