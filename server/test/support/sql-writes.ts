// Which tables a text of SQL writes: the targets of INSERT, UPDATE, DELETE, MERGE, TRUNCATE and COPY … FROM, at whatever
// depth. What a template puts in stands as `$`.

/** Words and signs; no comments, no texts in quotes. */
const tokensOf = (text: string): string[] =>
  text
    .replace(/'[^']*'|--.*|\/\*[\s\S]*?\*\//g, ' ')
    .replace(/"(\w*)"/g, '$1')
    .replace(/"[^"]*"/g, '_')
    .toLowerCase()
    .match(/[a-z_][\w.]*|\$|\S/g) ?? []

/** `for update`, `for no key update` and `on conflict … do update` change no other table. */
const noUpdateAfter: ReadonlySet<string | undefined> = new Set(['for', 'key', 'do'])

/** Behind what may stand between the verb and the table. */
const tableAt = (tokens: readonly string[], at: number): string => {
  let place = at
  while (['into', 'from', 'table', 'only'].includes(tokens[place] ?? '')) place += 1
  return (tokens[place] ?? '').replace(/^public\./, '')
}

/** `copy visits (a, b) from stdin`, not `copy (select …) to stdout`. */
const isCopiedInto = (tokens: readonly string[], at: number): boolean => {
  const afterTable = tokens[at + 2] === '(' ? tokens.indexOf(')', at) + 1 : at + 2
  return tokens[afterTable] === 'from'
}

export const writtenTables = (text: string): string[] => {
  const tokens = tokensOf(text)
  return tokens.flatMap((token, at) => {
    const next = tokens[at + 1]
    if ((token === 'insert' || token === 'merge') && next === 'into') return [tableAt(tokens, at + 1)]
    if (token === 'delete' && next === 'from') return [tableAt(tokens, at + 1)]
    if (token === 'update' && !noUpdateAfter.has(tokens[at - 1])) return [tableAt(tokens, at + 1)]
    if (token === 'truncate') return [tableAt(tokens, at + 1)]
    return token === 'copy' && isCopiedInto(tokens, at) ? [tableAt(tokens, at + 1)] : []
  })
}
