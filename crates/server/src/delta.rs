//! What changes from one JSON value to the next, as `docs/viewer.md` describes.

use serde_json::{Map, Value};

/// The key under which an array of the same length tells its changed places.
const PLACES: &str = "@";

/// What leads from `old` to `new`; `None` if they are equal.
pub(crate) fn change(old: &Value, new: &Value) -> Option<Value> {
    if old == new {
        return None;
    }
    Some(match (old, new) {
        (Value::Object(old), Value::Object(new)) => Value::Object(object_change(old, new)),
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => array_change(old, new),
        _ => replacement(new),
    })
}

fn object_change(old: &Map<String, Value>, new: &Map<String, Value>) -> Map<String, Value> {
    let mut changes = Map::new();
    for (key, value) in new {
        match old.get(key) {
            None => drop(changes.insert(key.clone(), replacement(value))),
            Some(before) => {
                if let Some(change) = change(before, value) {
                    changes.insert(key.clone(), change);
                }
            }
        }
    }
    for key in old.keys().filter(|key| !new.contains_key(*key)) {
        changes.insert(key.clone(), Value::Array(Vec::new()));
    }
    changes
}

fn array_change(old: &[Value], new: &[Value]) -> Value {
    let mut places = Vec::new();
    for (index, (before, after)) in old.iter().zip(new).enumerate() {
        if let Some(change) = change(before, after) {
            places.push(Value::from(index));
            places.push(change);
        }
    }
    // Telling the places must be shorter than telling everything.
    if places.len() > new.len() {
        return replacement(&Value::Array(new.to_vec()));
    }
    Value::Object(Map::from_iter([(PLACES.to_owned(), Value::Array(places))]))
}

fn replacement(value: &Value) -> Value {
    match value {
        Value::Object(_) | Value::Array(_) => Value::Array(vec![value.clone()]),
        plain => plain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::{PLACES, change};
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    /// The other half, which the page has in TypeScript.
    fn apply(old: Option<&Value>, change: &Value) -> Option<Value> {
        match change {
            Value::Array(new) => new.first().cloned(),
            Value::Object(changes) => Some(match (old, changes.get(PLACES)) {
                (Some(Value::Array(old)), Some(Value::Array(places))) => {
                    let mut new = old.clone();
                    for pair in places.chunks(2) {
                        let index = pair[0].as_u64().unwrap() as usize;
                        new[index] = apply(Some(&old[index]), &pair[1]).unwrap();
                    }
                    Value::Array(new)
                }
                (Some(Value::Object(old)), _) => {
                    let mut new = old.clone();
                    for (key, change) in changes {
                        match apply(old.get(key), change) {
                            Some(value) => drop(new.insert(key.clone(), value)),
                            None => drop(new.remove(key)),
                        }
                    }
                    Value::Object(new)
                }
                _ => panic!("a change of nothing"),
            }),
            plain => Some(plain.clone()),
        }
    }

    fn check(old: &Value, new: &Value) {
        match change(old, new) {
            None => assert_eq!(old, new),
            Some(change) => assert_eq!(apply(Some(old), &change).as_ref(), Some(new), "{change}"),
        }
    }

    #[test]
    fn a_change_is_short() {
        let old = json!({ "round": 4, "units": [1, 2, 3, 4], "players": [{ "army": 5 }, { "army": 6 }], "last": null });
        let new = json!({ "round": 5, "units": [1, 2, 9, 4], "players": [{ "army": 5 }, { "army": 7 }], "last": { "to": 3 } });
        let expected = json!({
            "round": 5, "units": { "@": [2, 9] }, "players": { "@": [1, { "army": 7 }] }, "last": [{ "to": 3 }],
        });
        assert_eq!(change(&old, &new), Some(expected));
        check(&old, &new);
    }

    #[test]
    fn keys_come_and_go() {
        check(&json!({ "a": 1, "b": [1] }), &json!({ "b": [1, 2], "c": null }));
        check(&json!({ "a": { "b": 1 } }), &json!({ "a": {} }));
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (0..4).prop_map(Value::from),
            "[ab]{0,2}".prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[abc]", inner, 0..4)
                    .prop_map(|map| Value::Object(Map::from_iter(map))),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_change_leads_from_the_old_to_the_new(old in value(), new in value()) {
            check(&old, &new);
        }
    }
}
