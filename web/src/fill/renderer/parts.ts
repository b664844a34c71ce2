// What is grafted into the renderer of forms when the page is built (`web/renderer.ts` names each place).
import type { Component } from 'vue'
import { locale, useTexts } from '@/texts'
import en from '@/texts/en/fill-renderer'
import BarcodeControl from './barcode-control.vue'
import DateTimeControl from './date-time-control.vue'
import type { EngineNode } from './engine'

export { default as FileControl } from './file-control.vue'
export { entriesXml, isWritten, writtenValue } from './hidden'
export { leadTo } from './leading'
export { isDrawn } from './media'

const t = useTexts(en)

export const say = (key: Exclude<Parameters<typeof t>[0], 'faults'>): string => t(key)
export const sayFaults = (n: number): string => t('faults', { n })

/** As people write the time where they are. */
export const hourFormat = (): '12' | '24' =>
  new Intl.DateTimeFormat(locale.value, { hour: 'numeric' }).resolvedOptions().hour12 ? '12' : '24'

export const onPress = (event: KeyboardEvent, run: () => void): void => {
  if (event.target !== event.currentTarget || (event.key !== 'Enter' && event.key !== ' ')) return
  event.preventDefault()
  run()
}

const controls: ReadonlyMap<string | undefined, Component> = new Map<string | undefined, Component>([
  ['dateTime', DateTimeControl],
  ['barcode', BarcodeControl],
])

/** Undefined where the renderer has its own. */
export const controlOf = (node: EngineNode): Component | undefined => controls.get(node.valueType)
