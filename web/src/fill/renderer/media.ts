// Which file a question asks for.
import type { EngineNode } from './engine'

const drawn = new Set(['signature', 'draw', 'annotate'])
const has = ({ appearances }: EngineNode, wanted: string): boolean => [...(appearances ?? [])].includes(wanted)

/** A picture that is drawn, or drawn upon. */
export const isDrawn = ({ appearances }: EngineNode): boolean =>
  [...(appearances ?? [])].some((name) => drawn.has(name))

/** `annotation`: a drawing on a picture. */
export type MediaKind = 'audio' | 'video' | 'drawing' | 'annotation' | 'file'

export const mediaKindOf = (node: EngineNode): MediaKind => {
  if (has(node, 'annotate')) return 'annotation'
  if (isDrawn(node)) return 'drawing'
  const type = node.nodeOptions?.media?.type
  return type === 'audio' || type === 'video' ? type : 'file'
}

/** Endings that servers and phones know; a recorder says `audio/webm;codecs=opus`. */
const endings: ReadonlyMap<string, string> = new Map([
  ['audio/webm', '.webm'],
  ['audio/mp4', '.m4a'],
  ['audio/ogg', '.ogg'],
])

export const endingOf = (type: string): string => endings.get(type.split(';', 1)[0] ?? '') ?? ''
