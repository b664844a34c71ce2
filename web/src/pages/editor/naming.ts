// Names made from labels, so that nobody has to think of them: «How old are you?» is `how_old_are_you`.

const longest = 32

/** Letters and digits of the Latin alphabet without their marks, everything else as one line between words. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

/** As many whole words as fit. */
const joined = (words: readonly string[]): string => {
  let name = ''
  for (const word of words) {
    const longer = name === '' ? word : `${name}_${word}`
    if (longer.length > longest) break
    name = longer
  }
  return name === '' ? (words[0] ?? '').slice(0, longest) : name
}

/** Empty where a label has no letter that a name can have. */
export const plainName = (label: string): string => {
  // References and markup are no words.
  const name = joined(wordsOf(label.replace(/\$\{[^{}]*\}/g, ' ').replace(/<[^<>]*>/g, ' ')))
  return /^[0-9]/.test(name) ? `q_${name}` : name
}

/** The name with a number behind it where it is taken. */
export const freeName = (wanted: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(wanted)) return wanted
  let number = 2
  while (taken.has(`${wanted}_${number}`)) number += 1
  return `${wanted}_${number}`
}

/** A name for a label; where that has no letters to use, one of its kind: `text`, `text_2`. */
export const nameFor = (label: string, kind: string, taken: ReadonlySet<string>): string =>
  freeName(plainName(label) || plainName(kind) || 'question', taken)

/** Whether a name was made from this label: then it follows when the label changes. A number may stand behind it. */
export const isMadeFrom = (name: string, label: string, kind: string): boolean => {
  if (name === '') return true
  const stem = name.replace(/_\d{1,4}$/, '')
  const made = plainName(label) || plainName(kind) || 'question'
  return name === made || stem === made
}
