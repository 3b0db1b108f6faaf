// Parts of JSON texts, named by paths: `strings::json_path` without recursion.
#include "cuprum/texts.cuh"

// The steps of a path, three words each: what it is, the position, or where the name begins, and the bytes of the name.
enum StepKind : u64 {
    STEP_NAME = 0,
    STEP_POSITION = 1,
    STEP_ALL = 2,
};

struct Path {
    const u64* words;
    u64 num_steps;
    const u8* names;

    u64 kind(u64 step) const { return words[3 * step]; }
    u64 position(u64 step) const { return words[3 * step + 1]; }
    StringView name(u64 step) const { return {names + words[3 * step + 1], words[3 * step + 2]}; }
};

struct JsonOptions {
    bool allow_single_quotes;
    bool strip_quotes;
    bool missing_as_null;
};

enum ElementKind : u32 { JSON_OBJECT, JSON_ARRAY, JSON_VALUE };

// An element of a text, where one is.
struct Element {
    u64 at;
    ElementKind kind;
    bool is_there;
    StringView name;  // in an object
};

inline Element nothing() { return {0, JSON_VALUE, false, {nullptr, 0}}; }

// Reads a text. `is_unfit` becomes true where it is not JSON, or has no element of the kind that a step needs; what is
// returned then is of no use.
struct JsonReader {
    StringView text;
    JsonOptions options;
    bool is_unfit;

    bool is_quote(u8 byte) const { return byte == '"' || (byte == '\'' && options.allow_single_quotes); }

    // The first byte from `at` on that is no white space, or the end.
    u64 behind_space(u64 at) const {
        while (at < text.size && text.bytes[at] <= ' ') ++at;
        return at;
    }

    Element unfit() {
        is_unfit = true;
        return nothing();
    }

    // The element that begins at `at` or behind white space there; none where the text or the enclosing element ends.
    Element element(u64 at) {
        at = behind_space(at);
        if (at == text.size) return nothing();
        switch (text.bytes[at]) {
            case ']':
            case '}': return nothing();
            case '{': return {at, JSON_OBJECT, true, {nullptr, 0}};
            case '[': return {at, JSON_ARRAY, true, {nullptr, 0}};
            case ',':
            case ':': return unfit();
            case '\'':
                if (!options.allow_single_quotes) return unfit();
                break;
            default: break;
        }
        return {at, JSON_VALUE, true, {nullptr, 0}};
    }

    // Behind the string that begins at `at`.
    u64 end_of_string(u64 at) {
        const u8 quote = text.bytes[at];
        for (u64 end = at + 1; end < text.size;) {
            const u8 byte = text.bytes[end++];
            if (byte == quote) return end;
            if (byte != '\\') continue;
            const u64 size = escape_at(end);
            if (size == 0) break;
            end += size;
        }
        is_unfit = true;
        return text.size;
    }

    // The bytes of what stands behind a backslash; 0 where it is nothing known.
    u64 escape_at(u64 at) const {
        if (at == text.size) return 0;
        switch (text.bytes[at]) {
            case '"':
            case '\\':
            case '/':
            case 'b':
            case 'f':
            case 'n':
            case 'r':
            case 't':
            case '\'': return 1;
            case 'u':
                if (text.size - at < 5) return 0;
                for (u64 k = 1; k < 5; ++k) {
                    if (hexadecimal_digit(text.bytes[at + k]) > 15) return 0;
                }
                return 5;
            default: return 0;
        }
    }

    // Behind an element.
    u64 end(Element element) {
        u64 at = element.at;
        if (element.kind == JSON_VALUE) {
            if (is_quote(text.bytes[at])) return end_of_string(at);
            for (; at < text.size; ++at) {
                const u8 byte = text.bytes[at];
                if (byte <= ' ' || byte == ',' || byte == '}' || byte == ']') break;
                if (byte == '[' || byte == '{' || byte == ':' || is_quote(byte)) {
                    is_unfit = true;
                    break;
                }
            }
            return at;
        }
        for (i64 objects = 0, arrays = 0; at < text.size;) {
            const u8 byte = text.bytes[at];
            if (is_quote(byte)) {
                at = end_of_string(at);
                if (is_unfit) return at;
                continue;
            }
            objects += (byte == '{') - (byte == '}');
            arrays += (byte == '[') - (byte == ']');
            ++at;
            if (objects == 0 && arrays == 0) return at;
        }
        is_unfit = true;
        return at;
    }

    // The first element inside one.
    Element first(Element of) { return of.kind == JSON_VALUE ? nothing() : member(of, of.at + 1); }

    // The element behind another one, inside the same.
    Element after(Element of, Element before) {
        const u64 behind = end(before), at = behind_space(behind);
        if (is_unfit || at == text.size) return nothing();
        return member(of, text.bytes[at] == ',' ? at + 1 : behind);
    }

    // The element at a place inside another one.
    Element member(Element of, u64 at) {
        at = behind_space(at);
        if (at == text.size) return nothing();
        const u8 byte = text.bytes[at];
        if (of.kind == JSON_ARRAY || byte == ']' || byte == '}') return element(at);
        if (!is_quote(byte)) return unfit();
        const u64 behind = end_of_string(at);
        if (is_unfit) return nothing();
        const u64 colon = behind_space(behind);
        if (colon == text.size || text.bytes[colon] != ':') return unfit();
        Element found = element(colon + 1);
        // Both quotes are single bytes.
        found.name = {text.bytes + at + 1, behind - at - 2};
        return found;
    }
};

// A `*` under way: the elements inside `of`.
struct Level {
    Element of, element;
    u64 step;  // the next one for each
};

// The output of a row.
template <typename Out>
struct Found {
    Out& out;
    u64 count;  // elements of the array
    bool is_there;

    void put(StringView text, bool in_array) {
        if (in_array && count > 0) out.put(u8(','));
        out.put(text);
        ++count;
        is_there = true;
    }
};

// The element that the steps from `step` on lead to before the next `*`, or to the last one: `step` becomes that `*`, or
// the number of steps. None where they lead to nothing, which may be shown as null.
template <typename Out>
Element go_down(JsonReader& reader, const Path& path, Element from, u64& step, bool in_array, Found<Out>& found) {
    for (; step < path.num_steps && path.kind(step) != STEP_ALL; ++step) {
        const bool is_name = path.kind(step) == STEP_NAME;
        if (from.kind != (is_name ? JSON_OBJECT : JSON_ARRAY)) return reader.unfit();
        Element inside = reader.first(from);
        if (!inside.is_there) return nothing();
        if (is_name) {
            while (inside.is_there && !equal_texts(inside.name, path.name(step))) inside = reader.after(from, inside);
            if (reader.is_unfit) return nothing();
            if (!inside.is_there) {
                if (reader.options.missing_as_null) found.put({reinterpret_cast<const u8*>("null"), 4}, in_array);
                return nothing();
            }
        } else {
            for (u64 k = path.position(step); k > 0 && inside.is_there; --k) inside = reader.after(from, inside);
            if (!inside.is_there) return reader.unfit();
        }
        from = inside;
    }
    return from;
}

// Puts the values at the steps from an element; all `*` make one array.
template <typename Out>
void walk(JsonReader& reader, const Path& path, Element from, Found<Out>& found) {
    Level levels[MOST_WILDCARDS];
    u32 depth = 0;
    for (u64 step = 0; from.is_there;) {
        from = go_down(reader, path, from, step, depth > 0, found);
        if (reader.is_unfit) return;
        bool goes_in = false;
        if (from.is_there && step < path.num_steps) {
            const Element inside = reader.first(from);
            if (reader.is_unfit) return;
            if (depth == 0) {
                found.out.put(u8('['));
                found.is_there = true;
            }
            goes_in = inside.is_there;
            if (goes_in) {
                levels[depth++] = {from, inside, step + 1};
            } else if (depth == 0) {
                found.out.put(u8(']'));
            }
        } else if (from.is_there) {
            const u64 end = reader.end(from);
            if (reader.is_unfit) return;
            StringView text = {reader.text.bytes + from.at, end - from.at};
            const bool is_string = from.kind == JSON_VALUE && text.size > 1 && reader.is_quote(text.bytes[0]);
            if (is_string && depth == 0 && reader.options.strip_quotes) text = {text.bytes + 1, text.size - 2};
            found.put(text, depth > 0);
        }
        // The next element of the innermost `*` that has one.
        while (depth > 0 && !goes_in) {
            Level& level = levels[depth - 1];
            level.element = reader.after(level.of, level.element);
            if (reader.is_unfit) return;
            goes_in = level.element.is_there;
            if (!goes_in && --depth == 0) found.out.put(u8(']'));
        }
        if (depth == 0) return;
        from = levels[depth - 1].element;
        step = levels[depth - 1].step;
    }
}

// Puts the value at a path; false where there is none.
template <typename Out>
bool put_json(JsonReader reader, const Path& path, Out& out) {
    Found<Out> found = {out, 0, false};
    walk(reader, path, reader.element(0), found);
    return !reader.is_unfit && found.is_there;
}

// The value at a path in the JSON text of every row.
__global__ void __launch_bounds__(THREADS)
    json_of_texts(TextsDeviceView column, const u64* words, u64 num_steps, const u8* names, bool allow_single_quotes,
                  bool strip_quotes, bool missing_as_null, i32* narrow, u64* wide, u8* bytes, u32* validity) {
    __shared__ Stage<STAGE> in_stage, out_stage;
    const Path path = {words, num_steps, names};
    const JsonOptions options = {allow_single_quotes, strip_quotes, missing_as_null};
    make_texts<THREADS>(column, {narrow, wide, bytes, validity}, in_stage, out_stage, [&](u64, StringView text, auto& out) {
        return put_json({text, options, false}, path, out);
    });
}
