// What a type of question is, in plain words of the page's language; what few people use is explained in English.
import { questionTypes } from '@sheaf/xlsform/language'
import { useTexts } from '@/texts'
import en from '@/texts/en/editor-types'

const english = new Map(questionTypes.map(({ name, explanation }) => [name, explanation]))

export const useTypeAbout = () => {
  const t = useTexts(en)
  const isKnown = (key: string): key is keyof typeof en.entries & string => Object.hasOwn(en.entries, key)
  return (type: string): string => {
    const key = `about-${type}`
    return isKnown(key) ? t(key) : (english.get(type) ?? '')
  }
}
