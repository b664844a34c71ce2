import { describe, expect, it } from 'vitest'
import { budgets } from '../../../budgets.js'
import { AppError } from '../../../platform/http/index.js'
import { refuseLongModel } from './definition.js'

describe('the model of a form', () => {
  it('400 for a form whose model has more than budgets.forms.modelCharacters, with what to do about it', () => {
    expect(() => refuseLongModel(budgets.forms.modelCharacters)).not.toThrow()
    expect(() => refuseLongModel(budgets.forms.modelCharacters + 1)).toThrow(/48000001 characters, at most 48000000/)
    try {
      refuseLongModel(budgets.forms.modelCharacters + 1)
    } catch (error) {
      expect(error).toBeInstanceOf(AppError)
      expect(error).toMatchObject({ status: 400, code: 'form.refused' })
    }
  })
})
