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
  /** What one network may find out about accounts in 15 minutes. Wrong guesses are a setting
   * (CREDENTIAL_REQUESTS_PER_ADDRESS), since they count secrets too. */
  accounts: {
    /** Accounts that are registered: a training of field workers does so from one address, a flood does too. */
    registrations: 600,
    /** Searches for an e-mail address: a person looks for some colleagues, not for a list. */
    addressSearches: 100,
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
} as const
