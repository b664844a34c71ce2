// Pictures for maps within forms, as the settings of the server say; without any a map is white, and works.
import { ref } from 'vue'

interface Tiles {
  readonly url: string
  readonly attribution: string
}

const tiles = ref<Tiles | null>(null)

/** Asked for before a form is shown; what does not come is not waited for. */
export const loadTiles = async (): Promise<void> => {
  try {
    const answer = await fetch('/web/options', { signal: AbortSignal.timeout(5000) })
    const read = (await answer.json()) as { tiles: Tiles | null }
    tiles.value = read.tiles
  } catch {
    tiles.value = null
  }
}

/** The renderer's library of maps writes the servers as `{a-c}`. */
export const tilesUrl = (): string | undefined => tiles.value?.url.replace('{s}', '{a-c}')

const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['"', '&quot;'],
])

/** That library shows it as markup. */
export const tilesAttribution = (): string =>
  (tiles.value?.attribution ?? '').replace(/[&<"]/g, (sign) => escapes.get(sign) ?? sign)
