// How much one request, one record, one person or one stream may cost. Every bound that keeps one caller from taking what
// others need stands here, with the number or the incident that decided it; whoever enforces one imports it. A test
// (`test/house/budgets.test.ts`) checks that each is enforced somewhere and tried at its limit somewhere.
//
// Bounds of the form compiler are in `xlsform/src/limits.ts`: it is a library of its own.
import { budgetsOfData } from './budgets-of-data.js'

export const budgets = {
  /** The one thread that all requests share. */
  eventLoop: {
    /** Aim: nobody keeps others waiting for longer. What works through much gives way before. */
    stallMs: 100,
  },

  /** What one statement may take. Operators who know better set it (`docs/configuration.md`). */
  database: {
    /** A sort of a million records by an answer took 8 s on a busy machine; an expression of somebody else 17 s. */
    statementSeconds: 60,
    /** Receiving has connections of its own, and a phone that waits longer has given up. */
    receivingSeconds: 20,
    /** A stream is read at somebody else's pace, and so is its statement: a gigabyte at 150 KB a second. */
    streamSeconds: 7200,
    /** What jobs do over a form of a million records. */
    backgroundSeconds: 3600,
    /** A statement whose reader has hung up ends when it is told to. One that does not is left to itself after this. */
    cancelSeconds: 10,
    /** Between two statements of a transaction there is only our own work. */
    idleInTransactionSeconds: 60,
  },

  /** Questions that look through records: lists, counts, charts. Forty searches of one account kept everybody waiting for 15 s. */
  readers: {
    /** Of the connections for requests, for all of them together: signing in and what is small has the rest. */
    shareOfPool: 0.8,
    /** Of the connections for requests, for those of one account or address. Whoever wants more waits for their own to end. */
    shareOfOne: 0.5,
    /** Somebody who sends twenty questions that take five seconds each gets all answers. */
    waitSeconds: 30,
    /** A question that takes longer gives its connection to others, when these wait for one. Half of the longest search that was
     * seen would do. */
    patienceSeconds: 20,
  },

  /** Copies of the database that lists, exports and charts are read from. */
  replicas: {
    /** A copy that gets what was just written later than this is passed over: the database itself would have answered by then.
     * Next to each other they are some milliseconds apart. */
    patienceMs: 100,
    /** Between the first two questions how far it is; then twice as long each time, up to the other. */
    pauseMs: 1,
    mostPauseMs: 16,
    /** How often everybody is asked how far they are. */
    lookMs: 1000,
    /** One that fell behind is read again when it has kept up for so many looks. */
    calmLooks: 3,
    /** Until it is away. */
    connectSeconds: 2,
    askSeconds: 5,
  },

  /** Answers that are read while they are made: lists, exports. Each holds a connection of the database. */
  streams: {
    /** Of the connections of a process, beside them; at least two. */
    shareOfPool: 0.5,
    /** Of the places for streams. Whoever wants more waits for their own to end. */
    shareOfOneReader: 0.6,
    /** Whoever comes beyond them is refused at once. */
    inLine: 100,
    /** Whoever waits takes room from other requests. */
    inLineOfOneReader: 8,
    waitSeconds: 10,
    /** Whoever has not read for so long loses their place to somebody who waits for one. */
    patienceSeconds: 5,
    /** Whoever has not read for so long loses it in any case. A link of 3 KB a second empties a full buffer of 256 KB by a
     * third, which is when it is filled again, in half a minute. */
    readerSeconds: 120,
  },

  /** What a caller sends. */
  bodies: {
    /** JSON, forms, and the fields of a multipart body together. */
    bytes: 1024 * 1024,
    fields: 100,
    fieldBytes: 100_000,
    /** Fields beside files may hold a form as text. */
    uploadFieldsBytes: 10 * 1024 * 1024,
    /** Levels of a JSON value: writing out a deeper one exhausts the stack. */
    levels: 64,
    /** As announced in X-OpenRosa-Accept-Content-Length: clients split what is larger into several posts. Of a post, what is no
     * file and held in memory. A whole post may be larger (LARGEST_POST): one large file comes alone. */
    submissionBytes: 10_000_000,
    submissionParts: 500,
    /** Of the id and of the agent that a device says it has. */
    deviceCharacters: 200,
    /** What is still read of a body that was refused before it arrived, so that the answer is not lost in a reset. */
    droppedBytes: 1_000_000,
    droppedMs: 5000,
    /** Thousands of entries of repeats; what is larger was not filled in by hand. */
    submissionXmlBytes: 4_000_000,
    /** Forms with 100,000 choices are 4 MB. */
    formBytes: 10 * 1024 * 1024,
    /** Media and documents of forms and projects; films and lists, which are larger than pictures. */
    mediaBytes: 1024 * 1024,
    largeMediaBytes: 10 * 1024 * 1024,
  },

  answers: {
    /** Records, events, people of one page: the contract's number. */
    pageSize: 10_000,
    /** Kept as one text in memory; longer ones are streams. */
    textBytes: 2_000_000,
    /** Answers beyond this size are watched: smaller ones the system takes in at once, whoever reads them. */
    watchedBytes: 64 * 1024,
  },

  /** Requests that wait for the other end. They take no room from others; of more than this, whoever has most loses some. */
  waiting: {
    /** Phones on bad links. Each holds at most 256 KB in memory. */
    slowSubmissions: 2000,
    /** Each holds at most a megabyte. */
    slowRequests: 500,
    /** Answers that are made and not read; each holds at most two megabytes. */
    unreadAnswers: 200,
    /** Requests on one line behind the one that is being answered. Programs that send ahead have ten; of more the line is
     * cut, since what is not begun is nobody's share. */
    behindOnLine: 100,
  },

  /** What one network may find out about accounts in 15 minutes. Wrong guesses are a setting
   * (CREDENTIAL_REQUESTS_PER_ADDRESS), since they count secrets too. */
  accounts: {
    /** Accounts that are registered: a training of field workers does so from one address, a flood does too. */
    registrations: 600,
    /** Searches for an e-mail address: a person looks for some colleagues, not for a list. */
    addressSearches: 100,
    /** Browsers in which one account is signed in; of more, the one that was used longest ago is signed out. */
    sessions: 100,
  },
  /** Mails that people cause through this server. They are counted together over all ways to cause one, since 90 mails of
   * free text went out in six seconds by the way that had no limit of its own. */
  mails: {
    /** How long a mail counts. */
    windowSeconds: 900,
    /** Of one person to all others: a class of trainees can be told at once, a mailing list cannot. */
    ofPerson: 50,
    /** To one address, of all people together, of one kind: what others write must not use up a reset mail. */
    toReceiver: 5,
  },

  /** Submissions on their way to rest services. */
  forwarding: {
    /** A call whose claim is older asks once more, when its connection is there, whether it may be sent. So long may one
     * still go out behind a right that was taken away, or a record that was deleted; claims take a few milliseconds. */
    freshMs: 10,
  },
  /** Keys for devices without accounts, and what is remembered of those who come with them. */
  keys: {
    nameCharacters: 100,
    /** A key for each phone of a national survey. */
    perProject: 5000,
    /** Chosen ones of a key. */
    forms: 1000,
    /** Of one key. What a device says of itself is a claim: whoever makes ids up pushes out the oldest, and no more. */
    devices: 2000,
    /** Of each key in a list of keys. */
    devicesListed: 20,
    /** Devices that have not been seen for a while, in one answer. */
    unseenListed: 500,
    /** A device is written down at most once in it, for each thing that it does. */
    sightingSeconds: 60,
    /** Pairs of key and device that a process remembers to have written down. */
    sightings: 10_000,
    /** Days that a device is remembered. */
    devicesDays: 400,
    /** Links of one form. */
    linksPerForm: 1000,
    /** What asking for the page of a link may take, and how much of the answer is read. */
    webformSeconds: 5,
    webformBytes: 20_000,
    webformCharacters: 2000,
  },

  /** What phones send to a form that is tried out: enough for a training of a day, too little for a survey. */
  drafts: {
    records: 1000,
    /** Of all its records together; they are shown in one answer. */
    xmlBytes: 10_000_000,
    fileBytes: 200_000_000,
    /** Files that go with it. */
    media: 200,
    /** Days that a record is kept. */
    days: 30,
  },

  /** The question library of a project. */
  library: {
    blocks: 200,
    /** Of a block: of each sheet, of each row, of each cell. */
    rows: 501,
    columns: 60,
    cell: 10_000,
    /** Of both sheets together, as JSON. */
    characters: 200_000,
    /** A character is escaped as six bytes at most. */
    bodyBytes: 1_500_000,
  },

  /** Telling owners what has stopped because somebody lost a right. */
  mandates: {
    /** Of each kind in one go; the rest follows. Their rows are locked together. */
    thingsAtOnce: 500,
    /** In one mail or event for each form and person: a form may have 50 services and 100 widgets, and nobody reads more. */
    linesTold: 20,
    /** To one owner; what comes behind them is told by events. Whoever lets somebody in and out again all day fills no mailbox. */
    mailsPerDay: 20,
  },

  /** Events of forms in which the caller sees their own records alone: each takes a look whether it is about one of these. */
  events: {
    /** Of one form, for one answer. One that names a hundred records takes 0.1 ms. */
    lookedThrough: 2000,
    /** Of all forms of a project, in equal parts. With 2,000 of each of 1,000 forms an answer took 9 s. */
    lookedThroughInAll: 20_000,
  },

  /** Answers of one record that somebody changes (`PATCH /data/{pk}/{dataid}`). */
  changes: {
    /** Faults that are told in words; a body of a megabyte may name a hundred thousand questions that are none. */
    faults: 100,
  },

  /** What the store of files (S3) may make this server wait for and hold. */
  files: {
    /** From a request to the head of its answer, once more after a failure. A part of 5 MiB needs 1 Mbit/s. */
    answerMs: 60_000,
    /** Silence in the middle of an answer; and the time after which it must have come at `leastBytesPerSecond`. */
    patienceMs: 30_000,
    /** A byte now and then keeps a line open for ever. */
    leastBytesPerSecond: 1024,
    /** An answer that is no file: 1,000 listed keys of 1 KiB, or an error. The SDK holds it in memory. */
    answerBytes: 4 * 1024 * 1024,
    /** Lines at once in one process; 50, the SDK's own, are taken by as many readers who are slow. */
    connections: 256,
  },
  /** Processes behind one port. */
  workers: {
    /** How often the first process asks a worker whether it is well. */
    askMs: 5000,
    /** A worker that answers nothing for so long is ended and replaced: others wait for connections that it holds. */
    silentMs: 30_000,
    /** From SIGTERM to SIGKILL: 30 s for requests in flight, and some to close. One that hung was waited for for ever. */
    endMs: 35_000,
  },
  /** The mail server. */
  mail: {
    /** One mail, from the connection on. A byte now and then keeps a line open for ever; the job tries again. */
    sendMs: 60_000,
    /** One answer of the server; they are lines of some 80 characters. */
    answerBytes: 64 * 1024,
    /** Jobs that send mails at once, in one process: beside the others, so that a slow mail server delays mails alone. */
    jobsAtOnce: 2,
  },
  /** Calls to servers whose addresses people give. */
  outbound: {
    /** All that one answer may bring on the wire: a form of 10 MiB in chunks, with room. What is no body (hints, blank
     * lines, extensions of chunks) was read without an end: 400 MB in 2 s. */
    answerBytes: 16 * 1024 * 1024,
    /** A line that nobody uses is closed. A receiver may ask for less, not for ten minutes: each holds a descriptor. */
    idleMs: 10_000,
    /** Forms by address that one person has fetched at once; a slow server holds each for 30 s. */
    formsPerPerson: 2,
    /** And all of them together, in one process: each may hold 10 MiB. */
    formsAtOnce: 16,
    /** One answer of an outside OpenID provider. Its keys and its description are some KB. */
    signInAnswerBytes: 512 * 1024,
    /** Everything that one sign-in asks of the provider: code, keys, address. People do not wait for longer. */
    signInMs: 20_000,
    /** Sign-ins in hand by one provider, in one process. Anybody can begin one: without a bound, a provider that does not
     * answer would hold every place that requests have. */
    signInsAtOnce: 32,
  },

  /** Forms, records, and what is made of them. */
  ...budgetsOfData,
} as const
