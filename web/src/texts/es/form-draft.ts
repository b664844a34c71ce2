import { translation } from '../catalogue'
import type en from '../en/form-draft'

export default translation<typeof en>({
  title: 'Probar una versión',
  about:
    'Los teléfonos que escanean su código rellenan solo esta versión. Lo que envían no es un registro del formulario.',
  drop: 'Suelte aquí el XLSForm que quiere probar, o elíjalo',
  dropHint: '.xlsx, .xls, .csv o un XForm (.xml)',
  dropAgain: 'Suelte otro archivo en su lugar, o elíjalo',
  dropAgainHint:
    'Los teléfonos la reciben con el mismo código. Los registros de prueba se quedan, cada uno con su versión.',
  kept: 'La versión se puede probar',
  version: '{title}, versión {version}',
  missing: 'Archivos que nombra y que no están aquí:',
  scan: 'Escanee el código con ODK Collect, o escriba la dirección como servidor.',
  address: 'Dirección para teléfonos',
  plan: 'Qué significaría publicarla',
  code: 'Código para teléfonos',
  records: { one: '{n} registro de prueba', many: '{n} registros de prueba', other: '{n} registros de prueba' },
  recordsAbout: 'Desaparecen cuando la versión se publica o se descarta, y a los 30 días.',
  tried: 'Registros de prueba',
  publish: 'Publicar esta versión',
  published: 'La versión está publicada. Los teléfonos la reciben la próxima vez que pregunten.',
  throwAway: 'Descartarla',
  throwAwaySure: 'La versión y todos los registros de prueba desaparecen. El formulario queda como está.',
  throwAwayForm: 'El formulario nunca se publicó: desaparece también, con todos los registros de prueba.',
  thrownAway: 'La versión se descartó',
})
