/** The frame of a list: its keys, its filter, and lines below it about the selected row. */
import { Box } from "ink";
import type { ComponentProps, ReactNode } from "react";
import { Frame } from "./frame.tsx";
import type { List, TableProps } from "./list.tsx";
import { type Line, Lines, type Size } from "./text.tsx";

interface ListFrameProps<Row> extends Omit<ComponentProps<typeof Frame>, "children"> {
  list: List<Row>;
  /** The lines below the table. */
  below?: (size: Size) => readonly Line[];
  /** Draws the table in its place. */
  children: (place: Pick<TableProps, "selected" | "marked" | "width" | "height">) => ReactNode;
}

export function ListFrame<Row>({ list, below = () => [], children, ...frame }: ListFrameProps<Row>) {
  const { index, marked, filter, keys, dialog } = list;
  return (
    <Frame
      {...frame}
      title={filter === "" ? frame.title : `${frame.title}, only ${filter}`}
      status={marked.size === 0 ? (frame.status ?? "") : `${marked.size} marked`}
      keys={[...keys, ...frame.keys]}
      dialog={frame.dialog ?? dialog}
    >
      {(size) => {
        const lines = below(size);
        return (
          <Box flexDirection="column" height={size.rows}>
            {children({ selected: index, marked, width: size.columns, height: size.rows - lines.length })}
            <Box flexGrow={1} />
            <Lines lines={lines} width={size.columns} />
          </Box>
        );
      }}
    </Frame>
  );
}
