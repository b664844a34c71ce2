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
  /** How wide what senders put into a form makes its files. What has no column is in the last one, as JSON. */
  columns: {
    /** For names that no version of the form knows. A group that was renamed brings some hundred; each column costs every
     * row of the file 0.2 µs. */
    unknown: 500,
    /** For entries of repeats side by side: 100 people with 50 questions. A spreadsheet opens 16,384 columns in all. */
    repeated: 5_000,
  },
} as const
