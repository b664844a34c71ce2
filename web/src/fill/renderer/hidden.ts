// Answers of questions that skip logic hides. They are not sent, but whoever opens the draft again may show their question again.
import type { EngineNode, EngineRoot } from './engine'

let isAll = false

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
  (isAll && !currentState.relevant ? heldValue?.() : undefined) ?? currentState.instanceValue ?? ''
