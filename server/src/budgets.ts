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
} as const
