// The look that a person chose on this device. Without a choice it is the system's.
import { ref, watch } from 'vue'
import { kept } from '@/base/kept'

export type Look = 'system' | 'light' | 'dark'

const isLook = (value: unknown): value is Look => value === 'system' || value === 'light' || value === 'dark'

export const look = kept<Look>('sheaf-look', 'system', isLook)

/** Whether it is dark now, by choice or by the system: for what is drawn by script. */
export const isDark = ref(false)

const system = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : undefined

/** What is shown now has no dark look. */
const isHeldLight = ref(false)

const apply = () => {
  const now = isHeldLight.value ? 'light' : look.value
  if (now === 'system') delete document.documentElement.dataset.look
  else document.documentElement.dataset.look = now
  isDark.value = now === 'dark' || (now === 'system' && system?.matches === true)
}

/** Whatever is chosen, and whatever the system turns to meanwhile. */
export const holdLight = (isHeld: boolean) => {
  isHeldLight.value = isHeld
  apply()
}

export const startLook = () => {
  watch(look, apply, { immediate: true })
  system?.addEventListener('change', apply)
}
