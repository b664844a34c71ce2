import { translation } from '../catalogue'
import type en from '../en/check'

export default translation<typeof en>({
  title: 'Verificar um formulário',
  about: 'Largue um XLSForm: vê o que está errado, na sua célula, e o formulário como vai ficar.',
  drop: 'Largue o livro aqui, ou escolha-o',
  hint: '.xlsx ou .csv; um .xls tem de ser guardado antes como .xlsx',
  examples: 'Não tem um formulário à mão?',
  exampleBroken: 'Um com erros',
  result: 'Resultado',
  checking: 'A verificar…',
  stop: 'Parar',
  stopped: 'Parado. Nada foi verificado.',
  slow: 'O ficheiro demora mais de 20 segundos e foi abandonado. Retire listas longas ou ponha-as num ficheiro CSV do formulário.',
  broken:
    'Não foi possível verificar o ficheiro. Pode estar danificado: abra-o numa folha de cálculo, guarde-o e tente outra vez.',
  tooLarge:
    'O ficheiro tem mais de 64 MB. Um formulário é muito mais pequeno: retire imagens e folhas que não lhe pertencem.',
  works: 'O formulário funciona. Tem {rows} linhas.',
  problems: { one: '{n} erro a corrigir', many: '{n} erros a corrigir', other: '{n} erros a corrigir' },
  warnings: { one: '{n} aviso', many: '{n} avisos', other: '{n} avisos' },
  mistakes: 'Erros',
  warningList: 'Avisos',
  firstOnly: 'São mostrados os primeiros {n}.',
  preview: 'Ver o formulário',
  closePreview: 'Fechar o formulário',
  download: 'Descarregar o XForm',
  downloadWorkbook: 'Descarregar como .xlsx',
  outline: {
    one: 'O que pergunta: {n} linha',
    many: 'O que pergunta: {n} linhas',
    other: 'O que pergunta: {n} linhas',
  },
  unknownType: 'desconhecido',
  wholeForm: 'Todo o formulário',
  placeRow: '{sheet}, linha {row}',
  placeCell: '{sheet}, linha {row}, coluna {column}',
  rowOf: 'Linha {row}',
  meant: 'Aqui: ',
  emptyCell: '(vazia)',
  private:
    'Nada sai do seu navegador: o ficheiro é lido e verificado neste aparelho, e não fica guardado em lado nenhum.',
})
