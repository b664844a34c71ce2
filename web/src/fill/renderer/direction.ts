// Which way the language of a form runs. Forms name their languages freely: `Arabic (ar)`, `العربية`, `ur`.
const rightToLeft = new Set(
  'ar arc ckb dv fa he ks ku-arab nqo ps sd ug ur yi arabic persian farsi hebrew urdu pashto'.split(' '),
)

/** `ar` of `Arabic (ar)`; empty where none is named. */
export const codeOf = (language: string): string => /\(([A-Za-z-]{2,15})\)\s*$/.exec(language)?.[1]?.toLowerCase() ?? ''

export const directionOf = (language: string): 'ltr' | 'rtl' => {
  const code = codeOf(language)
  const names = [code, code.split('-')[0] ?? '', language.trim().toLowerCase()]
  return names.some((name) => rightToLeft.has(name)) || /[\u0590-\u08ff\ufb1d-\ufefc]/.test(language) ? 'rtl' : 'ltr'
}
