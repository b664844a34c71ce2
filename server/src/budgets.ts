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
  /** Submissions on their way to rest services. */
  forwarding: {
    /** A call whose claim is older asks once more, when its connection is there, whether it may be sent. So long may one
     * still go out behind a right that was taken away, or a record that was deleted; claims take a few milliseconds. */
    freshMs: 10,
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
} as const
