// Pictures for maps. Without a setting nothing is loaded from elsewhere: maps then show outlines of countries.
import { defineSettings, setting } from '../../platform/config/index.js'
import { Type } from '../../platform/schema/index.js'
import { isUrl } from '../../platform/words/index.js'

/** What stands in braces is put in by the page; what a browser asks for afterwards has one of the hosts that are named here. */
const wantsPlaces = (url: string): void => {
  const origins = originsOf(url)
  if (origins.length === 0) throw new Error('must begin with https://, http:// or /')
  if (!['{z}', '{x}', '{y}'].every((part) => url.includes(part))) throw new Error('must name {z}, {x} and {y}')
}

const servers = ['a', 'b', 'c']

/** `/tiles/{z}/…` is this server's own, which the policy allows anyway. */
const originsOf = (url: string): string[] => {
  if (/^\/[^/\\]/.test(url)) return ["'self'"]
  const all = url.includes('{s}') ? servers.map((server) => url.replaceAll('{s}', server)) : [url]
  const origins = all.map((one) => {
    const [host = ''] = /^https?:\/\/[\w.-]+(?::\d{1,5})?(?=\/)/i.exec(one) ?? []
    return isUrl(host) ? new URL(host).origin : ''
  })
  return origins.includes('') ? [] : origins
}

export const webSettings = defineSettings('Maps on pages', {
  tilesUrl: setting.optionalFormat('TILES_URL', 'address with {z}, {x}, {y}', {
    check: wantsPlaces,
    doc: 'Where maps get their pictures from: `https://tiles.example.org/{z}/{x}/{y}.png`; `{s}` stands for a, b and c. Each browser asks there for what it shows, so that server learns where people look. Without it maps show outlines of countries, and nothing is loaded from elsewhere.',
  }),
  tilesAttribution: setting.optionalText('TILES_ATTRIBUTION', {
    doc: 'What maps say of the source of these pictures, as its owner asks for: `© OpenStreetMap contributors`.',
  }),
})

export interface Tiles {
  readonly url: string
  readonly attribution: string
  /** For the policy. */
  readonly origins: readonly string[]
}

export const tilesOf = ({
  tilesUrl,
  tilesAttribution = '',
}: {
  tilesUrl: string | undefined
  tilesAttribution: string | undefined
}): Tiles | undefined =>
  tilesUrl === undefined
    ? undefined
    : { url: tilesUrl, attribution: tilesAttribution, origins: originsOf(tilesUrl).filter((one) => one !== "'self'") }

export const TilesView = Type.Object(
  {
    tiles: Type.Union([Type.Null(), Type.Object({ url: Type.String(), attribution: Type.String() })]),
  },
  {
    examples: [
      { tiles: { url: 'https://tiles.example.org/{z}/{x}/{y}.png', attribution: '© OpenStreetMap contributors' } },
    ],
  },
)
