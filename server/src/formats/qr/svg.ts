import { type Code, quietSquares } from './code.js'

/** Dark squares that touch are one stripe: a picture of a third of the size, without seams between squares. */
const stripesOf = ({ size, isDark }: Code, row: number): string => {
  let path = ''
  for (let column = 0; column < size; ) {
    if (!isDark(row, column)) {
      column += 1
      continue
    }
    const start = column
    while (column < size && isDark(row, column)) column += 1
    const length = column - start
    path += `M${start + quietSquares} ${row + quietSquares}h${length}v1h-${length}z`
  }
  return path
}

/** Black on white in every look: readers need the contrast. It has no size of its own and fills its place. */
export const svgOf = (code: Code): string => {
  const side = code.size + 2 * quietSquares
  const path = Array.from({ length: code.size }, (_, row) => stripesOf(code, row)).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`
}
