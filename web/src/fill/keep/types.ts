// What lies in the browser. A row of `filled` is one filled form from its first answer until it was sent: a draft, then what waits.

/** One version of one form with one state of its files, as one person was given it. */
export interface KeptForm {
  readonly id: number
  /** The path before `/submission`: `/ana`, or `/key/…` of a key or a link. */
  readonly door: string
  readonly formId: string
  /** Who was signed in; empty for somebody without an account. */
  readonly whose: string
  readonly title: string
  readonly version: string
  readonly xml: string
  readonly files: readonly FormFile[]
  readonly keptAt: number
}

export interface FormFile {
  readonly name: string
  /** As the manifest says it: the same bytes have the same one. */
  readonly hash: string
}

export interface FormAddress {
  readonly door: string
  readonly formId: string
  readonly whose: string
}

/** `waiting` is sent by itself, `unsigned` when its person has signed in, `refused` when somebody says so. */
export type State = 'draft' | 'waiting' | 'unsigned' | 'refused' | 'sent' | 'discarded'

/** Why a link or a key takes nothing any more. */
export type KeyEnd = 'ended' | 'withdrawn' | 'full'

export interface Reason {
  /** 0: there was no answer. */
  readonly status: number
  /** In the words of the server; empty where it had none. */
  readonly message: string
  readonly end?: KeyEnd
}

export interface Filled extends FormAddress {
  readonly id: string
  /** The version of the form that it was begun with. */
  readonly formKey: number
  readonly title: string
  /** What its instanceName says; empty where it says nothing. */
  readonly name: string
  /** Made once. Whoever sends it again is answered that it is there already. */
  readonly instanceId: string
  /** Of an edit: what it replaces. */
  readonly deprecatedId: string | null
  /** Where it is filled in: `/f/ana/12`. */
  readonly page: string
  /** Of an edit: files that the record has already. They are not sent again. */
  readonly keptFiles: readonly string[]
  readonly xml: string
  /** The same with answers to questions that are hidden now, where there are any: whoever opens it may show them again. */
  readonly all?: string
  /** Counts how often it was written by a page, and who opened it: whoever has an older one has it no longer. */
  readonly revision?: number
  readonly language: string
  readonly madeAt: number
  readonly changedAt: number
  readonly state: State
  /** Before it was discarded. */
  readonly before?: State
  readonly reason?: Reason
  readonly tries: number
  /** When it is tried again by itself. */
  readonly nextAt: number
  /** Not before this moment, whatever happens: the server said so. */
  readonly notBefore: number
  /** Files that came with an earlier part of it. */
  readonly sentFiles: readonly string[]
  /** It was posted, and nobody knows whether it arrived. */
  readonly isUncertain: boolean
}

export interface Picture {
  readonly name: string
  readonly blob: Blob
}

/** What was typed into a form at one moment. */
export interface Typed {
  /** What is sent. */
  readonly xml: string
  /** The same with what was answered to questions that are hidden now. */
  readonly all?: string
}

export interface Answers extends Typed {
  readonly files: readonly Picture[]
}
