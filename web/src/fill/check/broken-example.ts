// A form with the mistakes that people make most, to try the page with.
import { type RawSheet, sheetOf } from '@sheaf/xlsform/sheets'

export const brokenExample = (): RawSheet[] => [
  sheetOf('survey', [
    ['type', 'name', 'label', 'relevant', 'constraint'],
    ['text', 'head name', 'Name of the head of the household'],
    ['intger', 'age', 'Age', '', '. >= 0 and . <= 120'],
    ['select_one yesno', 'consent', 'Do you agree?'],
    ['begin_repeat', 'member', 'Member'],
    ['text', 'school', 'Which school?', `\${aeg} > 5`],
    ['image', 'photo', 'Photo', `selected(\${consent}, 'yes'`],
  ]),
  sheetOf('choices', [
    ['list_name', 'name', 'label'],
    ['yes_no', 'yes', 'Yes'],
    ['yes_no', 'no', 'No'],
  ]),
]
