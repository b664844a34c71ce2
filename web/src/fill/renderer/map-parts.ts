// What is grafted into the maps of the renderer, which come only with forms that have one (`web/renderer.ts` names each place).
import { useTexts } from '@/texts'
import en from '@/texts/en/fill-map'

export { say } from './parts'
export { tilesAttribution, tilesUrl } from './tiles'

const t = useTexts(en)

export const sayOfMap = (key: Parameters<typeof t>[0]): string => t(key)
