// The bounds of what is worked on: forms, records, questions about them, and what is made of them. `budgets.ts` has the rest, and
// is what everybody imports.
export const budgetsOfData = {
  /** Definitions of forms, as the program reads records by them. */
  forms: {
    /** Of a model as text: 100,000 villages in one language are 11 million, in eight languages 45. It is held in memory, as
     * it comes from the database and as it is read. */
    modelCharacters: 48_000_000,
    /** Read in one go, which takes one or two milliseconds; then others get their turn. */
    pieceCharacters: 128 * 1024,
    /** That all versions of a form ask together. The largest form seen has 5,000. Each is a column of every table for ever: with
     * 112,500 of them, a list took 400 ms of everybody's time and a workbook could not be made. */
    questions: 20_000,
    /** Of all versions together. Each is a table of its own, for which all records are looked through; the most seen is some
     * dozens. */
    repeats: 200,
    /** Other servers of devices take any id; of this length it is still a name of a file, and fits into an index. */
    idCharacters: 255,
  },

  /** The XML of a submission, which anybody may send. */
  instance: {
    /** Deeper than any form that can be filled in; without the limit 20,000 levels take seconds. */
    depth: 200,
    /** Thousands of entries of a repeat have some ten thousand. Making answers of so many with a name each takes 90 ms. */
    elements: 100_000,
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
  /** Totals in forms of more than `records`: 20 ms to look through. One request counts for so long, and estimates the rest. A
   * count is kept for so long, in so many ranges of ids of all counts together (10 MB). */
  counts: { records: 10_000, milliseconds: 1000, keptMs: 600_000, ranges: 200_000 },
  /** Indexes of answers, which make themselves. */
  indexes: {
    /** Of forms with at least so many records: a scan of fewer takes 50 ms. */
    records: 50_000,
    /** Records that were looked through for a question before it gets one, as often as it was asked times what the form has: the
     * third time in a million records, the thirtieth in a hundred thousand. Making one takes ten seconds for a million. */
    lookedThrough: 3_000_000,
    /** Each costs receiving some hundredths, of this form alone. */
    perForm: 5,
    /** Of the forms of one account, where others need the rest. */
    perOwner: 10,
    /** Each is looked at when a statement on records is planned. */
    inAll: 40,
    /** Then one that made itself is dropped, and what was counted is forgotten. */
    keptDays: 14,
    /** One that was asked for within it does not give way to another. */
    restDays: 1,
    /** Questions of one form that are counted, and of all forms in the memory of a process. */
    questions: 200,
    remembered: 2000,
    /** Of the key of a question; a longer one is not counted. */
    keyCharacters: 500,
  },
  /** Corners of a polygon drawn on a map; cells of clusters in one answer, of which a screen of 4,000 by 2,000 has 2,000. */
  areas: { corners: 500, cells: 10_000 },
  /** Ids of records in one answer to Briefcase, which asks for a hundred; and files that come with a form that it pushes. */
  pulls: { entries: 100, mostEntries: 1000, pushedFiles: 200 },
  /** Audit logs of phones, which anybody may send: Collect writes some hundred lines of a hundred characters. */
  audits: {
    /** Of one cell; a longer one is cut, and a quote that is not closed within it is a character as others are. */
    cellCharacters: 200_000,
    /** Of one log, and unknown ones of all logs in a table: what is behind them is left out. */
    columns: 64,
    /** Logs whose headers are looked at for the columns of a table, the newest first. */
    heads: 5000,
    /** Files that are fetched or open at once, and how large one may be to be fetched before it is its turn. */
    ahead: 8,
    smallBytes: 256 * 1024,
    /** Of one record's logs as JSON, which is held in memory; the table has all of it. */
    shownBytes: 8_000_000,
    shownLines: 20_000,
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

  /** Work in the background. */
  jobs: {
    /** Of a job that says nothing else: mails, pictures and purges take seconds. */
    seconds: 600,
    /** Exports and imports in hand at once, in one process, of the four jobs that are: one place is for what takes seconds. */
    longAtOnce: 3,
    /** For the largest file that is taken, on a slow machine. */
    importSeconds: 1_800,
    /** For millions of records, on a slow machine. */
    exportSeconds: 3_600,
    /** A job gives way within this when the server is told to stop; it is taken up again later, from its beginning. */
    graceMs: 10_000,
    /** How often a process says that it lives, and after how long a silence its jobs are free for others. */
    beatMs: 10_000,
    silentMs: 60_000,
    /** The clock of a node that is further from the database's is told of. Machines that take their time from somewhere are within
     * some hundredths of a second. */
    clockMs: 5000,
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
    /** Of what stands for no answer in a file: it is compared with every cell, and a word is enough. */
    unansweredCharacters: 100,
  },
  /** Submissions that come as JSON. */
  jsonSubmissions: {
    /** Keys that the form does not ask for, as an answer names them: a body of 10 MB may be nothing else. */
    namedKeys: 1_000,
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
    /** An example project takes some seconds, most of them for its pictures. By whoever wants one. */
    examples: { atOnce: 1, waiting: 20, each: { atOnce: 1, waiting: 3 } },
  },
  signIn: {
    /** Of an address that somebody opens before they have signed in, through the sign-in page and back. Encoded it is up to
     * three times as long, and half of what a proxy takes in a header stays free. */
    wayBackCharacters: 2000,
    /** Of what a program sends and gets back in an address, as it stands there: clients take 16 KB of a head. An ID token has
     * about a thousand, a state some dozen. */
    addressCharacters: 12_000,
  },
  /** What /metrics reads of the database. Collectors ask every 15 seconds; receiving must not notice. */
  metrics: {
    keptMs: 30_000,
    /** Whoever asks waits for a new reading no longer, and gets the last one. The first process answers its workers in 2 s. */
    waitMs: 1000,
    /** Of the time of one connection: a reading that takes a second is kept for 50. */
    shareOfTime: 0.02,
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
    /** For the choices of questions that take several, in all of a form. Questions beyond it have one column for all of their
     * choices: with a column for each of 60,000 a sheet could not be opened, and making them held everybody up. */
    choices: 5_000,
    /** Questions for a point that have four columns more, for its numbers. The most seen in a form is some dozens. */
    points: 1_000,
  },

  /** What a chart, or several in one answer, may hold. */
  charts: {
    /** Of all labels of an answer, 20 more for each. Values are bounded where they are counted, but a choice of one letter
     * may have a label of 60,000: rows whose labels do not fit are left out, the rarest first. */
    labelCharacters: 8_000_000,
    /** Of one label on a page. */
    wordCharacters: 2_000,
  },

  /** What whoever asks for a table may choose. */
  tables: {
    /** Of the word for a question without an answer. It stands in millions of cells. */
    unansweredCharacters: 20,
    /** Of an answer whose choices are shown by their labels; of a longer one names are. Every village of a district is some
     * 5,000, and a sender may name one choice a million times. */
    labelledCharacters: 100_000,
    /** Of labels in one row, the rest of which shows names: as much as a record holds. A label may have 65,536 characters,
     * and a row thousands of cells with it. */
    labelCharacters: 4_000_000,
  },
} as const
