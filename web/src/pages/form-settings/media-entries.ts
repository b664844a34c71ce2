// Media of a form by what they are: a file, an address, or records of another form that devices get as a table.
import type { Entry } from '@/api/form-settings'

export interface MediaLink {
  readonly source: 'xform' | 'dataview'
  readonly id: number
  readonly name: string
}

/** `xform 12 people` */
export const linkIn = (value: string): MediaLink | undefined => {
  const [source, id, ...rest] = value.split(' ')
  if ((source !== 'xform' && source !== 'dataview') || !/^\d{1,9}$/.test(id ?? '') || rest.length === 0)
    return undefined
  return { source, id: Number(id), name: rest.join(' ') }
}

/** Only addresses of the web are links: anything else is shown as it stands. */
const isWebAddress = (value: string): boolean => /^https?:\/\//i.test(value)

export interface Media {
  readonly files: readonly Entry[]
  readonly addresses: readonly Entry[]
  readonly links: readonly (Entry & { readonly link: MediaLink })[]
}

export const mediaOf = (entries: readonly Entry[]): Media => {
  const media = entries.filter(({ data_type: type }) => type === 'media')
  const bare = media.filter(({ data_file: file }) => file === null)
  return {
    files: media.filter(({ data_file: file }) => file !== null),
    addresses: bare.filter(({ data_value: value }) => isWebAddress(value)),
    links: bare.flatMap((entry) => {
      const link = linkIn(entry.data_value)
      return link === undefined ? [] : [{ ...entry, link }]
    }),
  }
}

/** As devices name it: people.csv is asked for, and `xform 12 people` gives it. */
export const linkValue = (source: MediaLink['source'], id: number, name: string): string =>
  `${source} ${id} ${name
    .trim()
    .replace(/\.csv$/i, '')
    .replace(/\s+/g, '_')}`
