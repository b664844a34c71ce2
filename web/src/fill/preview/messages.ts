/** What the page around a preview hands over. */
export interface Handed {
  readonly kind: 'form'
  readonly xml: string
  /** By the names that the form calls them. */
  readonly files?: Readonly<Record<string, Blob>>
}

export const isHanded = (data: unknown): data is Handed =>
  typeof data === 'object' &&
  data !== null &&
  'kind' in data &&
  data.kind === 'form' &&
  'xml' in data &&
  typeof data.xml === 'string'
