/** The second click of a double click does nothing: by then the work may be done, and what lies there may mean the opposite or
 * belong to the next row. */
export const isSecondClick = ({ detail }: MouseEvent): boolean => detail > 1
