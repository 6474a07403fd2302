/** The home screen while there is no good catalog. */
import { Box } from "ink";
import { useNav } from "../kit/shell/navigation.ts";
import { CatalogFault } from "../kit/widgets/catalog-fault.tsx";
import { Frame } from "../kit/widgets/frame.tsx";
import { useSelection } from "../kit/widgets/list.tsx";
import { MenuGrid, menuKeys, menuRows, withoutLetters } from "./menu.tsx";

/** Says what is wrong with the file, and offers the screens that do not need it. */
export function HomeWithoutCatalog() {
  const { open, menu } = useNav();
  const usable = menu.filter(({ withoutCatalog }) => withoutCatalog);
  const selection = useSelection(usable.length);
  const chosen = usable[selection.index];
  return (
    <Frame
      title="Tintdesk"
      about="Prices and hours need a good catalog.yaml; diary, leads and keys do not."
      keys={[...withoutLetters(selection.keys), ...menuKeys(selection, chosen, usable, open)]}
    >
      {({ columns, rows }) => {
        const menuHeight = menuRows(usable, columns);
        return (
          <Box flexDirection="column" height={rows}>
            <Box flexDirection="column" height={rows - menuHeight} overflow="hidden">
              <CatalogFault size={{ columns, rows: rows - menuHeight }} />
            </Box>
            <MenuGrid menu={usable} selected={selection.index} width={columns} />
          </Box>
        );
      }}
    </Frame>
  );
}
