//! The constants of a game's rules: named, documented, bounded, and open to change.
//!
//! A game declares them once with [`settings!`](crate::settings!); reading them from a command line or a replay,
//! checking them and listing them follows from that.

use crate::game::SetupError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The settings of one game.
pub trait Settings: Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Every setting, in order.
    fn docs() -> Vec<SettingDoc>;
    /// Whether every value is in its range.
    fn check(&self) -> Result<(), SetupError>;
}

/// One setting, for people.
#[derive(Clone, Debug, Serialize)]
pub struct SettingDoc {
    /// What stands before the `=` of `--set`.
    pub key: &'static str,
    /// What it means.
    pub doc: String,
    /// Its value unless set.
    pub default: Value,
    /// The values it takes, if they are bounded.
    pub range: Option<String>,
}

/// The default settings with some changed, as `--set key=value` does.
pub fn with_changes<S: Settings>(changes: &[(String, String)]) -> Result<S, SetupError> {
    let mut object = to_value(&S::default());
    for (key, text) in changes {
        let Some(slot) = object.get_mut(key) else {
            return Err(unknown_key::<S>(key));
        };
        *slot = read_value(text, slot);
        if let Err(error) = serde_json::from_value::<S>(object.clone()) {
            return Err(SetupError::new(format!("setting {key} cannot be \"{text}\": {error}")));
        }
    }
    from_value(object)
}

/// Settings as a replay keeps them.
pub fn to_json<S: Settings>(settings: &S) -> String {
    to_value(settings).to_string()
}

/// Settings out of a replay.
pub fn from_json<S: Settings>(text: &str) -> Result<S, SetupError> {
    let value = serde_json::from_str(text)
        .map_err(|error| SetupError::new(format!("the settings are not readable: {error}")))?;
    from_value(value)
}

fn to_value<S: Settings>(settings: &S) -> Value {
    serde_json::to_value(settings).expect("settings are plain data")
}

fn from_value<S: Settings>(value: Value) -> Result<S, SetupError> {
    let settings: S = serde_json::from_value(value)
        .map_err(|error| SetupError::new(format!("the settings are not readable: {error}")))?;
    settings.check()?;
    Ok(settings)
}

/// What was typed, as the kind of value the setting has: `100,200` is a list where a list is due.
fn read_value(text: &str, current: &Value) -> Value {
    if current.is_string() {
        return Value::String(text.to_owned());
    }
    let json = if current.is_array() && !text.trim_start().starts_with('[') {
        format!("[{text}]")
    } else {
        text.to_owned()
    };
    serde_json::from_str(&json).unwrap_or_else(|_| Value::String(text.to_owned()))
}

fn unknown_key<S: Settings>(key: &str) -> SetupError {
    let docs = S::docs();
    let nearest = docs.iter().min_by_key(|doc| strsim::damerau_levenshtein(doc.key, key));
    let near = nearest.filter(|doc| strsim::damerau_levenshtein(doc.key, key) <= 3);
    SetupError::new(match near {
        Some(doc) => format!("there is no setting {key}; did you mean {}?", doc.key),
        None => {
            let keys: Vec<&str> = docs.iter().map(|doc| doc.key).collect();
            format!("there is no setting {key}; there are {}", keys.join(", "))
        }
    })
}

/// Values that a range bounds: numbers, and lists of numbers.
pub trait Within<T> {
    /// Whether every number lies in the range.
    fn within(&self, low: &T, high: &T) -> bool;
}

impl<T: PartialOrd> Within<T> for T {
    fn within(&self, low: &T, high: &T) -> bool {
        low <= self && self <= high
    }
}

impl<T: PartialOrd, const N: usize> Within<T> for [T; N] {
    fn within(&self, low: &T, high: &T) -> bool {
        self.iter().all(|item| item.within(low, high))
    }
}

/// Declares a game's settings: `name: type = default, in low..=high;` with its documentation above.
///
/// The range may be left out. Unknown names are errors wherever settings are read.
///
/// ```
/// palestra_core::settings! {
///     /// The constants of a game of matches.
///     pub struct Settings {
///         /// Matches on the table at the start.
///         heap: u32 = 21, in 1..=1000;
///     }
/// }
///
/// let changes = [("heap".to_owned(), "15".to_owned())];
/// assert_eq!(palestra_core::settings::with_changes::<Settings>(&changes)?.heap, 15);
///
/// let changes = [("heap".to_owned(), "5000".to_owned())];
/// assert!(palestra_core::settings::with_changes::<Settings>(&changes).is_err());
/// # Ok::<(), palestra_core::SetupError>(())
/// ```
#[macro_export]
macro_rules! settings {
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident {
            $( $(#[doc = $doc:literal])+ $key:ident : $kind:ty = $default:expr $(, in $low:literal ..= $high:literal)? ; )+
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, PartialEq, Eq, Debug, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $( $(#[doc = $doc])+ pub $key: $kind, )+
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $( $key: $default, )+ }
            }
        }

        impl $crate::settings::Settings for $name {
            fn docs() -> Vec<$crate::settings::SettingDoc> {
                let defaults = $name::default();
                vec![ $( $crate::settings::SettingDoc {
                    key: stringify!($key),
                    doc: [$($doc),+].map(str::trim).join(" "),
                    default: ::serde_json::to_value(&defaults.$key).expect("a setting is plain data"),
                    range: None $(.or(Some(format!("{}..={}", $low, $high))))?,
                }, )+ ]
            }

            fn check(&self) -> Result<(), $crate::game::SetupError> {
                $( $(
                    if !$crate::settings::Within::within(&self.$key, &$low, &$high) {
                        return Err($crate::game::SetupError::new(format!(
                            "setting {} is {}, and must be from {} to {}",
                            stringify!($key),
                            ::serde_json::to_value(&self.$key).expect("a setting is plain data"),
                            $low,
                            $high,
                        )));
                    }
                )? )+
                Ok(())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::{Settings, from_json, to_json, with_changes};

    #[allow(unreachable_pub, reason = "the macro is made for the public settings of a game")]
    mod sample {
        crate::settings! {
            /// For the tests.
            pub struct Sample {
                /// Rounds until
                /// the end.
                max_turns: u32 = 1000, in 1..=5000;
                /// Costs.
                cost: [u32; 2] = [100, 200], in 0..=1000;
                /// A switch.
                ties: bool = false;
                /// A word.
                word: String = "a".to_owned();
            }
        }
    }
    use sample::Sample;

    fn changed(key: &str, value: &str) -> Result<Sample, String> {
        with_changes(&[(key.to_owned(), value.to_owned())]).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_read_as_what_they_are() {
        assert_eq!(changed("max_turns", "300").unwrap().max_turns, 300);
        assert_eq!(changed("cost", "1,2").unwrap().cost, [1, 2]);
        assert_eq!(changed("cost", "[3, 4]").unwrap().cost, [3, 4]);
        assert!(changed("ties", "true").unwrap().ties);
        assert_eq!(changed("word", "7").unwrap().word, "7");
    }

    #[test]
    fn what_cannot_be_is_refused_by_name() {
        assert_eq!(
            changed("max_turn", "3").unwrap_err(),
            "there is no setting max_turn; did you mean max_turns?"
        );
        assert_eq!(
            changed("speed", "3").unwrap_err(),
            "there is no setting speed; there are max_turns, cost, ties, word"
        );
        assert_eq!(
            changed("max_turns", "0").unwrap_err(),
            "setting max_turns is 0, and must be from 1 to 5000"
        );
        assert!(
            changed("max_turns", "many").unwrap_err().starts_with("setting max_turns cannot be \"many\"")
        );
        assert!(changed("cost", "1,2,3").unwrap_err().starts_with("setting cost cannot be"));
        assert!(changed("max_turns", "-1").is_err());
    }

    #[test]
    fn json_and_back() {
        let settings = changed("cost", "5,6").unwrap();
        assert_eq!(from_json::<Sample>(&to_json(&settings)).unwrap(), settings);
        assert!(from_json::<Sample>("{}").is_err());
        assert!(from_json::<Sample>("nonsense").is_err());
    }

    #[test]
    fn they_are_listed_with_their_documentation() {
        let docs = Sample::docs();
        assert_eq!(docs[0].doc, "Rounds until the end.");
        assert_eq!(docs[0].range.as_deref(), Some("1..=5000"));
        assert_eq!(docs[3].range, None);
    }
}
