import type { FormModel } from '@sheaf/xlsform/form'
import { readModelText } from '../forms/index.js'

/** The form of a draft. It is read for each use: drafts are few, and what they hold goes with them. */
export const modelIn = async (text: string): Promise<FormModel> => (await readModelText(text)) as FormModel
