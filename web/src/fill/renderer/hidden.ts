// Answers of questions that skip logic hides, and entries of a repeat beyond its count. They are not sent, but whoever opens the draft
// again may show their question again, or correct the count.
import type { EngineNode, EngineRoot } from './engine'

let isAll = false
/** Within an entry beyond the count: there questions are in no place of the form, and what they show is not to be relied upon. */
let isBeyond = false

/** The XML of all that was answered, to questions that are hidden now as well. */
export const allOf = ({ instanceState }: EngineRoot): string => {
  isAll = true
  try {
    return instanceState.instanceXML
  } finally {
    isAll = false
  }
}

export const isWritten = ({ currentState }: EngineNode): boolean => isAll || currentState.relevant

/** While a node is hidden the engine shows it as empty, but for files, and holds what it was. */
export const writtenValue = ({ currentState, heldValue }: EngineNode): string =>
  (isAll && (isBeyond || !currentState.relevant) ? heldValue?.() : undefined) ?? currentState.instanceValue ?? ''

const joined = (entries: readonly EngineNode[]): string => entries.map((one) => one.instanceState.instanceXML).join('')

export const entriesXml = ({ currentState, heldEntries = [] }: EngineNode): string => {
  const shown = joined(currentState.children ?? [])
  if (!isAll || heldEntries.length === 0) return shown
  const before = isBeyond
  isBeyond = true
  try {
    return shown + joined(heldEntries)
  } finally {
    isBeyond = before
  }
}
