// Going somewhere by two keys: `g`, then where. Those of a form work on its pages.
import { computed, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { isSignedIn } from '@/api'
import { addShortcut, type Shortcut } from '@/base/shortcuts'
import { useTexts } from '@/texts'
import en from '@/texts/en/shell'

const t = useTexts(en)

const places = [
  ['g h', 'goHome', '/'],
  ['g a', 'goAccount', '/account'],
  ['g o', 'goOrganizations', '/orgs'],
] as const

/** The keys are first letters of the English names, where these are free. */
const formPlaces = [
  ['g f', 'goOverview', ''],
  ['g d', 'goData', '/data'],
  ['g m', 'goMap', '/map'],
  ['g c', 'goCharts', '/charts'],
  ['g b', 'goDashboard', '/dashboard'],
  ['g p', 'goMedia', '/media'],
  ['g n', 'goCollect', '/collect'],
  ['g v', 'goVersions', '/versions'],
  ['g s', 'goSettings', '/settings'],
] as const

/** The number of the form that a page is of. */
export const formIn = (path: string): string | undefined => /^\/forms\/(\d{1,15})(\/|$)/.exec(path)?.[1]

export const useGoTo = (): void => {
  const route = useRoute()
  const router = useRouter()
  const formId = computed(() => formIn(route.path))
  let takeAway: (() => void)[] = []

  const wanted = computed<Shortcut[]>(() => {
    if (!isSignedIn.value) return [{ keys: 'g h', label: () => t('goHome'), run: () => router.push('/') }]
    const ofForm = formId.value === undefined ? [] : formPlaces
    return [
      ...places.map(([keys, label, path]) => ({ keys, label: () => t(label), run: () => router.push(path) })),
      ...ofForm.map(([keys, label, path]) => ({
        keys,
        label: () => t(label),
        run: () => router.push(`/forms/${formId.value}${path}`),
      })),
    ]
  })
  watch(
    wanted,
    (all) => {
      for (const remove of takeAway) remove()
      takeAway = all.map(addShortcut)
    },
    { immediate: true },
  )
}
