import { Type } from '../../../platform/schema/index.js'

/** What the author of a form has to mend; nothing was stored. */
export const FormRefusal = Type.Object(
  {
    type: Type.String(),
    text: Type.String({ description: 'All mistakes in words.' }),
    problems: Type.Optional(
      Type.Array(
        Type.Object({
          code: Type.String({ description: 'Stable, for programs.' }),
          message: Type.String(),
          sheet: Type.Union([Type.String(), Type.Null()]),
          row: Type.Union([Type.Integer(), Type.Null()]),
          column: Type.Union([Type.String(), Type.Null()]),
          value: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
    ),
  },
  { examples: [{ type: 'alert-error', text: "survey row 2, column type: Unknown question type 'integr'." }] },
)
