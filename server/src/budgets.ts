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
  /** Work in the background. */
  jobs: {
    /** Of a job that says nothing else: mails, pictures and purges take seconds. */
    seconds: 600,
    /** For the largest file that is taken, on a slow machine. */
    importSeconds: 1_800,
    /** For millions of records, on a slow machine. */
    exportSeconds: 3_600,
    /** A job gives way within this when the server is told to stop; it is taken up again later, from its beginning. */
    graceMs: 10_000,
    /** How often a process says that it lives, and after how long a silence its jobs are free for others. */
    beatMs: 10_000,
    silentMs: 60_000,
  },
  /** A file of records that is imported. */
  imports: {
    rows: 500_000,
    /** Of one account, that wait or run: each may have 50 MiB, and they run one after the other. */
    waiting: 20,
    /** Lines of any kind, empty ones included: as many as a spreadsheet has. */
    lines: 1_048_576,
    columns: 5_000,
    /** Of one row. A quote that is never closed would make one cell of the rest of the file. */
    rowCharacters: 1024 * 1024,
  },
  /** Reading forms: in threads, in a line for each account. */
  compiler: {
    /** A form of 5,000 questions takes 0.4 s. One that takes longer than this is refused in words. */
    milliseconds: 15_000,
    /** One account keeps one of the two busy. */
    atOnce: 2,
    waiting: 100,
    /** Somebody who publishes twenty forms at once is served. */
    each: { atOnce: 1, waiting: 30 },
  },
  /** What waits for a core, in a line for each account or address; beyond the bounds 503. */
  queues: {
    /** Hashing takes 10 ms; a device that signs in is one. By address. */
    passwords: { atOnce: 2, waiting: 200, each: { atOnce: 2, waiting: 60 } },
    /** As a tree, XML above 256 KB takes ten times the memory. By sender, or by the account that is sent to. */
    largeSubmissions: { atOnce: 2, waiting: 50, each: { atOnce: 1, waiting: 20 } },
    /** Half of the threads that the process has for files, hashes and images. By whoever looks at them. */
    pictures: { atOnce: 2, waiting: 200, each: { atOnce: 2, waiting: 100 } },
    /** A chart takes 40 ms of one thread. By whoever looks at it. */
    drawings: { atOnce: 1, waiting: 200, each: { atOnce: 1, waiting: 60 } },
  },
  exports: {
    /** Of one account, that wait or run; they run one after the other. */
    waiting: 20,
  },
  /** How wide what senders put into a form makes its files. What has no column is in the last one, as JSON. */
  columns: {
    /** For names that no version of the form knows. A group that was renamed brings some hundred; every record has a cell
     * in each column. */
    unknown: 500,
    /** For entries of repeats side by side: 100 people with 25 questions. A spreadsheet opens 16,384 columns in all, but
     * every record has a cell in each of them: with 5,000, a file of 10,000 records took 89 s in place of 1.7 on a busy machine. */
    repeated: 2_500,
  },
} as const
