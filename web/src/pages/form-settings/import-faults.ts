// What an import was refused for, by row: the server says it in one text, as clients of this API family know it.

export interface RowFault {
  readonly row: number
  readonly messages: readonly string[]
}

const rowsBegin = 'Invalid CSV data imported in row(s): {'

/** `{1: ['a', 'b'], 7: ['c']}`; undefined where the text is about the file as a whole. */
export const rowFaultsIn = (text: string): { rows: readonly RowFault[]; rest: string } | undefined => {
  if (!text.startsWith(rowsBegin)) return undefined
  const rows: { row: number; messages: string[] }[] = []
  let at = rowsBegin.length
  let number = ''
  while (at < text.length && text[at] !== '}') {
    const sign = text[at] ?? ''
    if (/\d/.test(sign)) number += sign
    else if (sign === ':') {
      rows.push({ row: Number(number), messages: [] })
      number = ''
    } else if (sign === "'") {
      let message = ''
      at += 1
      while (at < text.length && text[at] !== "'") {
        if (text[at] === '\\') at += 1
        message += text[at] ?? ''
        at += 1
      }
      rows.at(-1)?.messages.push(message)
    }
    at += 1
  }
  return { rows, rest: text.slice(at + 1).trim() }
}
