import { translation } from '../catalogue'
import type en from '../en/publish'

export default translation<typeof en>({
  title: 'Carregar um formulário',
  drop: 'Largue aqui um XLSForm ou escolha um ficheiro',
  dropMended: 'Largue aqui o ficheiro corrigido ou escolha-o',
  kinds: 'Excel (.xlsx, .xls), CSV ou um XForm (.xml)',
  checking: 'O formulário está a ser verificado…',
  refusedTitle: {
    one: '{n} coisa a corrigir em {file}',
    many: '{n} coisas a corrigir em {file}',
    other: '{n} coisas a corrigir em {file}',
  },
  refusedAbout: 'Nada foi guardado. Corrija o seu ficheiro e carregue-o de novo aqui mesmo.',
  refusedOther: '{file} não pôde ser aceite',
  place: 'Onde',
  problem: 'O que está errado',
  sheet: 'Folha {sheet}',
  row: 'linha {row}',
  column: 'coluna {column}',
  value: 'Diz “{value}”.',
  more: { one: 'e mais {n}', many: 'e mais {n}', other: 'e mais {n}' },
  doneTitle: '“{title}” está publicado',
  takenId: 'Outro formulário já tem este identificador aqui, por isso este recebeu “{id}”.',
  warningsTitle: { one: '{n} coisa a ver', many: '{n} coisas a ver', other: '{n} coisas a ver' },
  warningsAbout: 'O formulário funciona. Mesmo assim, talvez queira ver isto:',
  open: 'Abrir o formulário',
  another: 'Carregar outro',
  close: 'Fechar',
})
