import { translation } from '../catalogue'
import type en from '../en/form-draft'

export default translation<typeof en>({
  title: 'Testar uma versão',
  about: 'Os telefones que leem o código preenchem apenas esta versão. O que enviam não é um registo do formulário.',
  drop: 'Largue aqui o XLSForm a testar, ou escolha-o',
  dropHint: '.xlsx, .xls, .csv ou um XForm (.xml)',
  dropAgain: 'Largue outro ficheiro no seu lugar, ou escolha-o',
  dropAgainHint: 'Os telefones recebem-na com o mesmo código. Os registos de teste ficam, cada um com a sua versão.',
  kept: 'A versão pode ser testada',
  version: '{title}, versão {version}',
  missing: 'Ficheiros que nomeia e que não estão aqui:',
  scan: 'Leia o código com o ODK Collect, ou escreva o endereço como servidor.',
  address: 'Endereço para telefones',
  plan: 'O que significaria publicá-la',
  code: 'Código para telefones',
  records: { one: '{n} registo de teste', many: '{n} registos de teste', other: '{n} registos de teste' },
  recordsAbout: 'Desaparecem quando a versão é publicada ou descartada, e após 30 dias.',
  tried: 'Registos de teste',
  publish: 'Publicar esta versão',
  published: 'A versão está publicada. Os telefones recebem-na na próxima vez que perguntarem.',
  throwAway: 'Descartar',
  throwAwaySure: 'A versão e todos os registos de teste desaparecem. O formulário fica como está.',
  throwAwayForm: 'O formulário nunca foi publicado: desaparece também, com todos os registos de teste.',
  thrownAway: 'A versão foi descartada',
})
