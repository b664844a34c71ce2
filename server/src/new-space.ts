// The space that V8 makes new objects in. Loading the program fills it with what stays, so V8 widens it to 32 MB, and never
// narrows it again while the process rests: a quarter of what an idle server holds. Kept narrow while it starts, it widens when
// requests need it.
import { setFlagsFromString } from 'node:v8'

export const keepNewSpaceNarrow = (): void => setFlagsFromString('--semi-space-growth-factor=1')

/** By V8's own factor. */
export const letNewSpaceWiden = (): void => setFlagsFromString('--semi-space-growth-factor=2')
