// How an attachment is named in records and addresses.

export interface FormPlace {
  readonly id: number
  readonly idString: string
  readonly owner: string
}

/** A name for readers; the bytes lie under a key of our own. Readers who make a path of it stay where they are. */
export const storedName = ({ id, idString, owner }: FormPlace, name: string): string =>
  `${owner}/attachments/${id}_${idString.replace(/[/\\]/g, '_')}/${name}`

/** As it stands in an address: slashes stay readable. */
export const addressOf = (stored: string): string => encodeURIComponent(stored).replaceAll('%2F', '/')
