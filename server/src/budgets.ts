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
