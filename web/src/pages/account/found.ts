import { person } from '@/look/icons'
import type { PaletteEntry } from '@/parts/palette'
import { useTexts } from '@/texts'
import en from '@/texts/en/account'
import { tabs } from './tabs'

const t = useTexts(en)

/** The parts of the account, for the palette. */
export const found = (): PaletteEntry[] =>
  tabs.map(({ path, name }) => ({ id: `account-${name}`, label: t(name), icon: person, to: path }))
