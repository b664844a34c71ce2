// What can be done from anywhere, for the palette.
import { isSignedIn } from '@/api'
import { building, home, keyboard, moon, person, play, signOut as signOutIcon, sun } from '@/look/icons'
import { look } from '@/look/look'
import type { PaletteSource } from '@/parts/palette'
import { useTexts } from '@/texts'
import en from '@/texts/en/shell'
import { leave } from './leaving'
import { useShellActions } from './shell-actions'

const t = useTexts(en)
const { isListingShortcuts } = useShellActions()

export const actionsSource: PaletteSource = {
  name: 'actions',
  label: () => t('actions'),
  forAnyone: true,
  find: () => [
    { id: 'home', label: t('home'), icon: home, to: '/' },
    ...(isSignedIn.value
      ? [
          { id: 'account', label: t('account'), icon: person, to: '/account' },
          { id: 'orgs', label: t('organizations'), icon: building, to: '/orgs' },
          { id: 'example', label: t('tryExample'), icon: play, to: '/setup/first' },
        ]
      : [{ id: 'sign-in', label: t('signIn'), icon: person, to: '/signin' }]),
    { id: 'shortcuts', label: t('shortcuts'), icon: keyboard, run: () => (isListingShortcuts.value = true) },
    { id: 'light', label: t('toLight'), icon: sun, run: () => (look.value = 'light') },
    { id: 'dark', label: t('toDark'), icon: moon, run: () => (look.value = 'dark') },
    ...(isSignedIn.value ? [{ id: 'sign-out', label: t('signOut'), icon: signOutIcon, run: leave }] : []),
  ],
}
