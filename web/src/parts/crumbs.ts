// Where the open page stands; the top bar shows it.
import { shallowRef } from 'vue'
import type { RouteLocationRaw } from 'vue-router'

export interface Crumb {
  readonly label: string
  readonly to: RouteLocationRaw
}

export const shownCrumbs = shallowRef<{ readonly above: readonly Crumb[]; readonly title: string }>({
  above: [],
  title: '',
})

export const showCrumbs = (above: readonly Crumb[], title: string): void => {
  shownCrumbs.value = { above, title }
}
