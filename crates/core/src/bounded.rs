//! Lists from strangers' files, no longer than their limit: an empty element may take a byte of the file and fifty of
//! memory.

use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Reads a list of at most `MOST` elements; for `#[serde(deserialize_with)]`.
pub fn list<'de, const MOST: usize, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    struct Bounded<const MOST: usize, T>(PhantomData<T>);

    impl<'de, const MOST: usize, T: Deserialize<'de>> Visitor<'de> for Bounded<MOST, T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MOST}")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(element) = elements.next_element()? {
                if list.len() == MOST {
                    return Err(A::Error::custom(format!("a list has more than {MOST} elements")));
                }
                list.push(element);
            }
            Ok(list)
        }
    }

    deserializer.deserialize_seq(Bounded::<MOST, T>(PhantomData))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    #[derive(Deserialize, PartialEq, Debug)]
    struct Few {
        #[serde(deserialize_with = "super::list::<3, _, _>")]
        words: Vec<String>,
    }

    #[test]
    fn a_longer_list_is_refused_and_the_limit_named() {
        let read = |text: &str| serde_json::from_str::<Few>(text);
        assert_eq!(read(r#"{"words": ["a", "b", "c"]}"#).unwrap().words, ["a", "b", "c"]);
        let error = read(r#"{"words": ["a", "b", "c", "d"]}"#).unwrap_err().to_string();
        assert!(error.contains("more than 3"), "{error}");
    }
}
