// What filling in is about: how a form is reached, and what somebody has filled in.

/** How a form is reached. It can be stored as it is: whatever is sent later needs nothing else. All addresses are paths. */
export interface FormSource {
  /** One for each form and way to it: `form:ana/12`, `link:TOKEN/12`, `key:TOKEN/12`. */
  readonly key: string
  /** Whether the session of the browser goes along. A link or a key is in the address itself. */
  readonly access: 'session' | 'link' | 'key'
  /** Where the page is, to come back to. */
  readonly page: string
  readonly definition: string
  readonly manifest: string
  /** Where to send to. */
  readonly submission: string
}

/** A form with everything that is needed to show it. */
export interface LoadedForm {
  readonly source: FormSource
  readonly xml: string
  readonly title: string
  readonly formId: string
  readonly version: string
  /** Names of its files, and where each is. */
  readonly files: ReadonlyMap<string, string>
}

export interface NamedFile {
  readonly name: string
  readonly blob: Blob
}

/** What was filled in so far, as it would be sent: the instance, and the files that it names. */
export interface Filled {
  readonly xml: string
  readonly files: readonly NamedFile[]
  /** `uuid:…`; one for each filled form, however often it is restored and sent. */
  readonly instanceId: string
  /** Of an edit: the instance that it replaces. */
  readonly deprecatedId: string | null
}
