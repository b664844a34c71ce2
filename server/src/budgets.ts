// How much one request, one record, one person or one stream may cost. Every bound that keeps one caller from taking what
// others need stands here, with the number or the incident that decided it; whoever enforces one imports it. A test
// (`test/house/budgets.test.ts`) checks that each is enforced somewhere and tried at its limit somewhere.
//
// Bounds of the form compiler are in `xlsform/src/limits.ts`: it is a library of its own.
export const budgets = {
  /** The one thread that all requests share. */
  eventLoop: {
    /** Aim: nobody keeps others waiting for longer. What works through much gives way before. */
    stallMs: 100,
  },
  /** The XML of a submission, which anybody may send. */
  instance: {
    /** Deeper than any form that can be filled in; without the limit 20,000 levels take seconds. */
    depth: 200,
    /** Thousands of entries of a repeat have some ten thousand. */
    elements: 200_000,
    /** Names become keys of records, once for every answer below them. */
    nameCharacters: 255,
    /** Of a path, which is the key of an answer. */
    pathCharacters: 1000,
    /** Of all paths together, which are stored with the answers. */
    allPathCharacters: 10_000_000,
    /** Devices declare four prefixes, at the root. */
    declarations: 10_000,
    /** Devices send two or three, at the root. */
    attributes: 50_000,
    /** Of reading a long one; then others get their turn. */
    turnMs: 25,
  },
  /** The query language: filters, sorting and fields of lists. */
  query: {
    /** Objects and lists within each other. */
    depth: 50,
    /** Of all kinds together, in one filter. */
    values: 10_000,
    /** Each becomes a condition of SQL. */
    conditions: 500,
    /** Each becomes a column that is sorted by. */
    sortKeys: 50,
    /** Asked for by name. */
    fields: 1000,
  },
  /** What a dataview may ask for. */
  dataviews: {
    /** More than any form has questions. */
    columns: 5000,
    /** Of its filter. */
    conditions: 100,
    /** Of what a condition compares with. */
    valueCharacters: 1000,
  },
  /** Headings of files that are imported. */
  headings: {
    /** Of one of them; no path of a form is longer. */
    characters: 2000,
  },
  /** Constraints of forms, evaluated for answers that are stored: both are other people's. */
  expressions: {
    /** Of one constraint. Spreadsheet programs stop at 32,767; the longest seen in a form has 900. */
    characters: 10_000,
    /** Parentheses and calls within each other: each takes six frames of the stack. */
    depth: 100,
    /** Of an answer. Longer ones are no answers to a question with a constraint. */
    answerCharacters: 1_000_000,
    /** A step is one operation, or 16 characters looked through, or one character at one place of a pattern: up to 100 ns,
     * so that one answer takes 50 ms at most. */
    stepsPerAnswer: 500_000,
    /** 200,000 different answers to twenty constraints with a pattern; 10 to 20 s at most, in turns. */
    stepsPerPlan: 200_000_000,
    /** Then others get their turn. */
    turnMs: 25,
  },
  /** Patterns that people write into forms, those of one constraint together; run by an engine that takes linear time. */
  patterns: {
    /** The longest one seen in a form has 300. */
    characters: 1000,
    /** Characters when repetitions are written out. 500 take 5 ms to prepare; `(x{1,100}){1,100}` has 10,000. */
    size: 500,
  },
} as const
